import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { median } from '../bench/report.ts';
import { eventOf } from '../cost/measure.ts';
import type { Subject } from '../cost/subjects.ts';
import { bare } from './bare.ts';
import { type Deployed, readDeployed } from './deployed.ts';
import { openExecutionEnvironment } from './execution-environment.ts';
import { platform } from './lambda.ts';

/** `ROUNDS=7 npm run test:runtime -- test/runtime/first-request.test.ts` for figures to rely on. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);

const token = inject('adminToken');

/** By a token each, since the hash of a password takes longer than all the rest. */
const REQUESTS: Readonly<Record<string, Subject>> = {
  'account.profile': { method: 'GET', path: '/api/core/account/profile', token },
  'token.list-own': { method: 'GET', path: '/api/core/token/user', token },
  'account.login': {
    method: 'POST',
    path: '/api/core/account/login',
    json: { username: 'api', password: token },
  },
  'system.preview': {
    method: 'POST',
    path: '/api/core/system/preview',
    json: { painput: '# A title\n\nA *text* with a [link](https://example.com).' },
    token,
  },
};

/** CPU time and wall time of the process since it started, in milliseconds: until it waits, and until it has answered. */
type Figures = readonly [initCpu: number, cpu: number, initWall: number, wall: number];

async function start(deployed: Deployed, event: object): Promise<Figures> {
  const environment = await openExecutionEnvironment(deployed, platform());
  const initWall = await environment.initialised;
  const initCpu = environment.cpuMs();
  const sent = performance.now();
  const answer = await environment.invoke(event, randomUUID(), `Root=1-${randomUUID()}`);
  const wall = initWall + performance.now() - sent;
  expect(JSON.parse(answer), deployed.id).toMatchObject({ statusCode: 200 });
  const cpu = environment.cpuMs();
  await environment.close();
  return [initCpu, cpu, initWall, wall];
}

test('every start answers; what init and the first request take beside a bare handler is printed', async () => {
  const deployed = readDeployed();
  const all = Object.entries(REQUESTS).map(([id, subject]) => ({
    deployed: deployed.get(id) as Deployed,
    event: eventOf(subject, 'runtime'),
    ratios: [] as Figures[],
  }));
  const floor = bare();
  for (let round = 0; round < ROUNDS; round++)
    for (const { deployed, event, ratios } of all) {
      // Each has its own floor, so that a machine that is busy for a while slows down both.
      const [floorCpu, , floorWall] = await start(floor, {});
      const [initCpu, cpu, initWall, wall] = await start(deployed, event);
      ratios.push([initCpu / floorCpu, cpu / floorCpu, initWall / floorWall, wall / floorWall]);
    }
  const cell = (ratios: readonly Figures[], at: number) =>
    median(ratios.map((figures) => figures[at] as number)).toFixed(2);
  const rows = all.map(({ deployed: { id }, ratios }) =>
    [id.padEnd(16), ...[0, 1, 2, 3].map((at) => cell(ratios, at).padStart(8))].join(''),
  );
  console.log(
    [
      `Under AWS's runtime; 1 is the init of a bare handler. Median of ${ROUNDS} pairs`,
      `${' '.repeat(16)}    init + first  (CPU)    init + first  (wall)`,
      ...rows,
    ].join('\n'),
  );
});
