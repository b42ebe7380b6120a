import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { readStatistics } from '#lib/stats/statistics';
import type { Table } from '#lib/table/table';
import { fill } from '../../bench/scale/fill.ts';
import { documentsOf } from '../../document-client.ts';
import type { Fault } from '../../wire/dynamodb-proxy.ts';
import { NOON, openTestTable } from '../support/engine.ts';

/** Accounts, and after how many of them the checkpoint moves. */
const [ACCOUNTS, CHUNK] = [300, 200];

const [cut, whole] = [await openTestTable(), await openTestTable()];

async function everyItem(table: Table) {
  const items: Record<string, unknown>[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await documentsOf(table).send(
      new ScanCommand({ TableName: table.name, ExclusiveStartKey: start }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return new Map(items.map((item) => [`${item['PK']} ${item['SK']}`, item]));
}

/** Starts a fill, and kills it with -9 at the nth command of a kind, of which the engine knows or does not. */
async function killedAt(operation: string, nth: number, fault: Fault) {
  const { wire, table } = cut;
  const program = join(import.meta.dirname, '../../bench/scale/fill-process.ts');
  const child = execFile(process.execPath, [
    program,
    wire.url,
    table.name,
    `${ACCOUNTS}`,
    `${CHUNK}`,
    `${NOON}`,
  ]);
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('exit', (_, signal) => resolve(signal)),
  );
  let seen = 0;
  wire.reset();
  wire.script((each) => {
    if (each !== operation || ++seen < nth) return undefined;
    child.kill('SIGKILL');
    return fault;
  });
  expect(await ended).toBe('SIGKILL');
  wire.reset();
}

test('a fill that is killed again and again, and goes on each time, has the result of one that is not', async () => {
  await killedAt('BatchWriteItem', 8, 'hang');
  await killedAt('TransactWriteItems', 1, 'hang');
  await killedAt('TransactWriteItems', 1, 'lose');
  await killedAt('TransactWriteItems', 1, 'lose');
  await Promise.all([fill(cut.table, ACCOUNTS), fill(whole.table, ACCOUNTS, { at: NOON })]);
  const [found, expected] = [await everyItem(cut.table), await everyItem(whole.table)];
  expect(found).toEqual(expected);
  const { count, locked } = await readStatistics(cut.table, NOON);
  expect({ count, locked }).toEqual({ count: ACCOUNTS, locked: Math.floor(ACCOUNTS / 200) });
});

test('a directory grows from one size to the next, and then is as one that was filled at once', async () => {
  const [steps, once] = [cut, whole];
  for (const accounts of [ACCOUNTS + 10, ACCOUNTS + 50]) await fill(steps.table, accounts);
  await fill(once.table, ACCOUNTS + 50);
  expect(await everyItem(steps.table)).toEqual(await everyItem(once.table));
});
