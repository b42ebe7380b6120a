import { expect, test } from 'vitest';
import { median } from '../bench/report.ts';
import { bare } from './bare.ts';
import { readDeployed } from './deployed.ts';
import { openExecutionEnvironment } from './execution-environment.ts';
import { platform } from './lambda.ts';

const ROUNDS = 3;

test('every function initialises; how long that takes beside a bare handler is printed', async () => {
  const all = [bare(), ...readDeployed().values()];
  const times = new Map<string, number[]>(all.map(({ id }) => [id, []]));
  // Round by round, so that a machine that is busy for a while slows down all of them.
  for (let round = 0; round < ROUNDS; round++)
    for (const deployed of all) {
      const environment = await openExecutionEnvironment(deployed, platform());
      times.get(deployed.id)?.push(await environment.initialised);
      expect(environment.output(), deployed.id).toBe('');
      await environment.close();
    }
  const [floor = 0, ...others] = [...times.values()].map(median);
  const row = (id: string, ms: number) =>
    `${id.padEnd(26)}${ms.toFixed(0).padStart(6)} ms ${(ms / floor).toFixed(2).padStart(6)}`;
  const rows = [...times.keys()].slice(1).map((id, index) => row(id, others[index] as number));
  console.log([`Init, median of ${ROUNDS}`, row('a bare handler', floor), ...rows].join('\n'));
});
