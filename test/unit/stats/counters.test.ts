import { beforeEach, expect, test } from 'vitest';
import { countIn, readCounters } from '#lib/stats/counters';
import { allCounters, counterKey, passwordCostKey } from '#lib/table/keys';
import { query } from '#lib/table/read';
import { put, remove, transact } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';

const { table, wire, operations } = await openTestTable();

beforeEach(async () => {
  const counters = await query(table, allCounters);
  await Promise.all(counters.map(({ SK }) => remove(table, { PK: 'STATS', SK })));
  wire.reset();
});

test('countIn changes the counter of the shard of a username in any case', async () => {
  for (const username of ['ada', 'ADA']) await transact(table, [countIn('COUNT', username, 1)]);
  await transact(table, [
    countIn('COUNT', 'ada', -1),
    countIn('COUNT', 'grace', 1),
    countIn('COUNT', 'kim', 1),
  ]);
  expect(await query(table, allCounters)).toEqual([
    { ...counterKey('COUNT', 'grace'), n: 1 },
    { ...counterKey('COUNT', 'ada'), n: 1 },
    { ...counterKey('COUNT', 'kim'), n: 1 },
  ]);
});

test('readCounters sums each counter over its shards, in one query', async () => {
  const none = await readCounters(table);
  expect([none, operations()]).toMatchObject([{ count: 0, locked: 0 }, ['Query']]);
  await transact(table, [
    countIn('COUNT', 'ada', 1),
    countIn('LOCKED', 'ada', 1),
    countIn('COUNT', 'grace', 1),
  ]);
  await put(table, passwordCostKey, { cost: 12 });
  expect(await readCounters(table)).toEqual({ count: 2, locked: 1 });
});
