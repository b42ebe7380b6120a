import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folders } from '../integration/folder.ts';
import { type Deployed, readDeployed } from './deployed.ts';
import { openExecutionEnvironment } from './execution-environment.ts';
import { platform } from './lambda.ts';

const ROUNDS = 3;

/** What no function can undercut: it loads nothing. */
function bare(): Deployed {
  const folder = mkdtempSync(join(tmpdir(), 'bare-'));
  folders.push(folder);
  writeFileSync(join(folder, 'index.cjs'), 'exports.handler = async () => ({ statusCode: 200 });');
  return { id: 'a bare handler', folder, handler: 'index.handler', memory: 512, timeout: 15, variables: {} };
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number;

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
