import { beforeEach, expect, test } from 'vitest';
import { countIn, readCounters } from '#lib/stats/counters';
import { allCounters, counterKey } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { put, remove, transact } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';

const { table, wire, operations } = await openTestTable();

beforeEach(async () => {
  const counters = await query(table, allCounters);
  await Promise.all(counters.map(({ SK }) => remove(table, { PK: 'STATS', SK })));
  wire.reset();
});

const add = (...writes: Parameters<typeof transact>[1]) => transact(table, writes);

test('a counter begins at nothing and is changed by one', async () => {
  await add(countIn('COUNT', 'ada', 1));
  await add(countIn('COUNT', 'ada', 1));
  await add(countIn('COUNT', 'ada', -1));
  expect(await get(table, counterKey('COUNT', 'ada'))).toEqual({ PK: 'STATS', SK: 'COUNT#5', n: 1 });
});

test('a counter is spread over shards by username, in whatever case, and summed up', async () => {
  await add(countIn('COUNT', 'ada', 1), countIn('COUNT', 'grace', 1), countIn('COUNT', 'kim', 1));
  await add(countIn('COUNT', 'ADA', 1));
  expect(await query(table, allCounters)).toEqual([
    { PK: 'STATS', SK: 'COUNT#0', n: 1 },
    { PK: 'STATS', SK: 'COUNT#5', n: 2 },
    { PK: 'STATS', SK: 'COUNT#6', n: 1 },
  ]);
  expect(await readCounters(table)).toMatchObject({ count: 4, locked: 0 });
});

test('the counters of an empty table say nothing, in one query', async () => {
  expect(await readCounters(table)).toMatchObject({ count: 0, locked: 0 });
  expect(operations()).toEqual(['Query']);
});

test('the counters tell accounts, locked accounts and the days of earlier versions apart', async () => {
  await add(countIn('COUNT', 'ada', 1), countIn('LOCKED', 'ada', 1), countIn('COUNT', 'grace', 1));
  for (const SK of ['DAY#2026-11-20#1', 'DAY#2026-11-20#2', 'DAY#2026-11-19#1'])
    await put(table, { PK: 'STATS', SK }, { n: 3, ttl: 1_795_000_000 });
  const { activeOn, ...counters } = await readCounters(table);
  expect(counters).toEqual({ count: 2, locked: 1 });
  expect(['2026-11-20', '2026-11-19', '2026-11-18'].map(activeOn)).toEqual([6, 3, 0]);
});
