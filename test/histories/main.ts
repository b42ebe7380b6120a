import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from '../../infra/bundle.ts';
import { startEngine } from '../../infra/local/engine/engine.ts';
import { type InstanceProcess, startInstance } from '../integration/instance-process.ts';
import { openProxy } from '../wire/dynamodb-proxy.ts';
import { randomFaults } from './chaos.ts';
import { runEpisode } from './episode.ts';
import { isLinearisable } from './linearisable.ts';
import { onInstance } from './running-instance.ts';

const USAGE = `npm run histories -- [--minutes 10] [--kill-every 30] [--faults] [--workers 3]
  --kill-every  seconds after which the instance is killed with -9 and started again; 0 for never
  --faults      its DynamoDB is throttled, slow, failing and cut off, by chance; implies --kill-every 0
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    'kill-every': { type: 'string', default: '30' },
    workers: { type: 'string', default: '3' },
    faults: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const [CLIENTS, OPERATIONS] = [3, 8];
const endsAt = performance.now() + Number(values.minutes) * 60_000;

await bundle();
const data = await mkdtemp(join(tmpdir(), 'core-account-histories-'));
const engine = values.faults ? await startEngine() : undefined;
const proxy = engine && (await openProxy(engine.url, 0));
const start = () =>
  startInstance({
    data,
    env: { Settings__BcryptCost: '10', ...(proxy ? { AWS_ENDPOINT_URL_DYNAMODB: proxy.url } : {}) },
  });

let instance: Promise<InstanceProcess> = start();
const { admin } = (await instance).ready;
const service = await onInstance(async () => (await instance).ready.url, data, admin.token as string);
const faults = randomFaults();
proxy?.script(faults.script);

let kills = 0;
const killEvery = values.faults ? 0 : Number(values['kill-every']);
const killer =
  killEvery > 0 &&
  setInterval(async () => {
    const running = await instance;
    kills += 1;
    instance = running.kill().then(start);
  }, killEvery * 1000);

const totals = { episodes: 0, operations: 0, unanswered: 0, events: 0, violations: 0, broken: 0 };
await Promise.all(
  Array.from({ length: Number(values.workers) }, async () => {
    while (performance.now() < endsAt) {
      const { history, broken, username } = await runEpisode(service, CLIENTS, OPERATIONS);
      totals.episodes += 1;
      totals.operations += history.length;
      totals.unanswered += history.filter(({ answer }) => answer === undefined).length;
      totals.events += Number(history.at(-1)?.answer?.[1]);
      totals.broken += broken.length;
      if (broken.length > 0) console.log(`${username}: ${broken.join(', ')}`);
      if (isLinearisable(history)) continue;
      totals.violations += 1;
      await writeFile(join(data, `${username}.json`), JSON.stringify(history, undefined, 1));
      console.log(`No order of its operations explains the answers: ${join(data, `${username}.json`)}`);
    }
  }),
);
if (killer) clearInterval(killer);
await (await instance).stop();
proxy?.close();
await engine?.close();

const failed = totals.violations + totals.broken > 0;
if (!failed) await rm(data, { recursive: true });
console.log(JSON.stringify({ ...totals, kills, faults: faults.counts }));
process.exit(failed ? 1 : 0);
