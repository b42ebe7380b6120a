import { beforeEach, describe, expect, test } from 'vitest';
import { countIn } from '#lib/stats/counters';
import { countLockout, moveActivity, uncountLockout } from '#lib/stats/slices';
import { readStatistics, recentStatistics } from '#lib/stats/statistics';
import { allCounters, allSlices } from '#lib/table/keys';
import { query } from '#lib/table/read';
import { put, remove, transact } from '#lib/table/write';
import { NOON, openTestTable } from '../support/engine.ts';

const { table, wire, operations } = await openTestTable();

const [SECOND, DAY] = [1000, 86_400_000];
const MIDNIGHT = Date.UTC(2026, 10, 20);
const NOTHING = { count: 0, locked: 0, last_week: 0, today: 0 };

beforeEach(async () => {
  const counters = await query(table, allCounters);
  const keys = [...counters.map(({ SK }) => ({ PK: 'STATS', SK })), ...allSlices];
  await Promise.all(keys.map((key) => remove(table, key)));
  wire.reset();
});

const add = (...writes: Parameters<typeof transact>[1]) => transact(table, writes);
async function read(now = NOON) {
  const { as_of: _, ...counts } = await readStatistics(table, now);
  return counts;
}

test('of an empty table are nothing, and take a query and a read of all slices, of half a unit each', async () => {
  const consistency: unknown[] = [];
  wire.script((operation, input) => {
    if (operation === 'BatchGetItem')
      for (const { Keys, ConsistentRead } of Object.values((input as { RequestItems: object }).RequestItems))
        consistency.push([Keys.length, ConsistentRead]);
    return undefined;
  });
  expect(await read()).toEqual(NOTHING);
  expect(operations().sort()).toEqual(['BatchGetItem', 'Query']);
  expect(consistency).toEqual([[64, false]]);
});

test('are as of the step of 10 s that it was a second ago', async () => {
  const asOf = async (now: number) => (await readStatistics(table, now)).as_of;
  expect(await asOf(NOON + SECOND - 1)).toBe('2026-11-20T11:59:50.000Z');
  expect(await asOf(NOON + SECOND)).toBe('2026-11-20T12:00:00.000Z');
  expect(await asOf(NOON + 11 * SECOND - 1)).toBe('2026-11-20T12:00:00.000Z');
});

test.each([
  ['today, at its first millisecond', MIDNIGHT, 1, 1],
  ['today, at its last millisecond', MIDNIGHT + DAY - 1, 1, 1],
  ['yesterday, at its last millisecond', MIDNIGHT - 1, 1, 0],
  ['six days ago, at its first millisecond', MIDNIGHT - 6 * DAY, 1, 0],
  ['seven days ago, at its last millisecond', MIDNIGHT - 6 * DAY - 1, 0, 0],
  ['tomorrow, by a clock that is ahead', MIDNIGHT + DAY, 0, 0],
])('count who was last active %s', async (_when, active, last_week, today) => {
  await add(moveActivity('ada', active));
  for (const now of [MIDNIGHT, NOON, MIDNIGHT + DAY - 1])
    expect(await read(now)).toEqual({ ...NOTHING, last_week, today });
});

test('of the last week are the sum of its days, over all slices', async () => {
  for (let ago = 0; ago < 9; ago++) await add(moveActivity('ada', NOON - ago * DAY));
  await add(moveActivity('grace', NOON));
  expect(await read()).toEqual({ ...NOTHING, last_week: 8, today: 2 });
});

test('an account that an earlier version has counted on a day leaves it', async () => {
  await put(table, { PK: 'STATS', SK: 'DAY#2026-11-19#5' }, { n: 2, ttl: 1_795_000_000 });
  expect(await read()).toEqual({ ...NOTHING, last_week: 2 });
  await add(moveActivity('ada', NOON, NOON - DAY));
  expect(await read()).toEqual({ ...NOTHING, last_week: 2, today: 1 });
});

describe('the locked', () => {
  test('are those locked for good, and for a time until it ends', async () => {
    await add(countIn('LOCKED', 'ada', 1), await countLockout(table, 'kim', NOON + 60 * SECOND, NOON));
    expect(await read()).toEqual({ ...NOTHING, locked: 2 });
    expect(await read(NOON + 69 * SECOND)).toEqual({ ...NOTHING, locked: 2 });
    expect(await read(NOON + 70 * SECOND)).toEqual({ ...NOTHING, locked: 1 });
  });

  test('are never fewer than those locked for good: a lockout of an earlier version was not counted', async () => {
    await add(countIn('LOCKED', 'ada', 1), ...uncountLockout('kim', NOON + 60 * SECOND, NOON));
    expect(await read()).toEqual({ ...NOTHING, locked: 1 });
  });
});

describe('a page after the first', () => {
  test.each([
    ['repeats what was read less than 45 s ago', 45 * SECOND - 1, 0],
    ['reads anew what is 45 s old', 45 * SECOND, 1],
    ['reads anew what was read at a later time, by a clock that was set back', -1, 1],
  ])('%s', async (_what, later, today) => {
    const before = await readStatistics(table, NOON);
    await add(moveActivity('ada', NOON));
    wire.reset();
    expect((await recentStatistics(table, NOON + later)).today).toBe(today);
    expect(operations()).toHaveLength(2 * today);
    expect(before.today).toBe(0);
  });

  test('reads what its execution environment has not read yet', async () => {
    const another = { ...table, client: Object.create(table.client) };
    await readStatistics(table, NOON);
    await add(moveActivity('ada', NOON));
    expect((await recentStatistics(another, NOON)).today).toBe(1);
  });
});
