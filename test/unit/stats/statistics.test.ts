import { beforeEach, expect, test } from 'vitest';
import { countIn } from '#lib/stats/counters';
import { countLockout, LOCKOUT_STEP_MS, moveActivity, uncountLockout } from '#lib/stats/slices';
import { readStatistics, recentStatistics } from '#lib/stats/statistics';
import { allCounters, allSlices, counterKey, passwordCostKey, sliceKey } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { put, type TransactWrite, transact } from '#lib/table/write';
import { DAY_MS, dateOf, startOfDay } from '#lib/time';
import { NOON, openTestTable } from '../support/engine.ts';
import { removeAll } from '../support/remove-all.ts';

const { table, wire, operations } = await openTestTable();

const SECOND = 1000;
const MIDNIGHT = startOfDay(NOON);
const key = sliceKey('ada');
const NOTHING = { count: 0, locked: 0, last_week: 0, today: 0 };

beforeEach(async () => {
  const counters = await query(table, allCounters);
  const keys = [...counters.map(({ SK }) => ({ PK: 'STATS', SK })), ...allSlices];
  await removeAll(table, keys);
  wire.reset();
});

const write = (...writes: TransactWrite[]) => transact(table, writes);
async function read(now = NOON) {
  const { as_of: _, ...counts } = await readStatistics(table, now);
  return counts;
}
/** The counters of the slice of Ada. */
async function counters() {
  const { PK: _1, SK: _2, ...slice } = (await get(table, key)) as Record<string, unknown>;
  return slice;
}

test('sliceKey spreads usernames over 64 partitions, in any case', () => {
  const partitions = allSlices.map(({ PK }) => PK);
  expect(new Set(partitions).size).toBe(64);
  const used = Map.groupBy(
    Array.from({ length: 6400 }, (_, n) => sliceKey(`user-${n}`).PK),
    (PK) => PK,
  );
  expect([...used.keys()].sort()).toEqual(partitions.sort());
  expect(Math.max(...[...used.values()].map(({ length }) => length))).toBeLessThan(150);
  expect(sliceKey('ADA')).toEqual(key);
});

test.each([
  ['within nine days', 9 * DAY_MS - 1, [1, -1]],
  ['nine days ago, when its counter may be removed', 9 * DAY_MS, [1]],
])('moveActivity uncounts an activity %s', (_when, ago, moves) => {
  const { Update } = moveActivity('ada', NOON, NOON - ago);
  expect(Object.values(Update?.ExpressionAttributeValues ?? {})).toEqual(moves);
});

test('moveActivity uncounts an activity at the epoch', () => {
  const { Update } = moveActivity('ada', DAY_MS + 1, 0);
  expect(Object.values(Update?.ExpressionAttributeNames ?? {})).toContain('active:1970-01-01');
});

test('moveActivity removes the days before the ten that are kept', async () => {
  for (let ago = 30; ago >= 0; ago--) await write(moveActivity('ada', NOON - ago * DAY_MS));
  const kept = Array.from({ length: 10 }, (_, ago) => `active:${dateOf(NOON - ago * DAY_MS)}`);
  expect(Object.keys(await counters()).sort()).toEqual(kept.sort());
  await write(moveActivity('ada', NOON + 14 * DAY_MS));
  expect(await counters(), 'after two weeks without activity').toEqual({ 'active:2026-12-04': 1 });
});

test('countLockout removes the lockouts of the slice that have ended, and no days', async () => {
  await write(moveActivity('ada', NOON));
  const now = NOON / LOCKOUT_STEP_MS;
  const ended = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`until:${now - 1 - n}`, 1]));
  await put(table, key, { ...(await get(table, key)), ...ended, [`until:${now}`]: 2 });
  wire.reset();
  await write(await countLockout(table, 'ada', NOON + LOCKOUT_STEP_MS, NOON));
  expect(operations()).toEqual(['GetItem', 'TransactWriteItems']);
  expect(await counters()).toEqual({
    'active:2026-11-20': 1,
    [`until:${now}`]: 2,
    [`until:${now + 1}`]: 1,
  });
});

// DynamoDB refuses an expression that names an attribute twice; the embedded engine does not.
test('countLockout names each counter once when a lockout ends in the step of the one before', async () => {
  const { Update } = await countLockout(table, 'ada', NOON + 1, NOON, NOON);
  expect(Object.values(Update?.ExpressionAttributeNames ?? {})).toEqual([`until:${NOON / LOCKOUT_STEP_MS}`]);
});

test('countLockout removes at most 200, the others the next time', async () => {
  await put(table, key, Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`until:${n}`, 1])));
  const sizes = [];
  for (let n = 0; n < 2; n++) {
    await write(await countLockout(table, 'ada', NOON, NOON));
    sizes.push(Object.keys(await counters()).length);
  }
  expect(sizes).toEqual([51, 1]);
});

test('uncountLockout uncounts a lockout that is still counted', async () => {
  const end = NOON + 60_000;
  for (const username of ['ada', 'kim']) await write(await countLockout(table, username, end, NOON));
  await write(...uncountLockout('ada', end, end + LOCKOUT_STEP_MS - 1));
  expect((await read()).locked).toBe(1);
  expect(uncountLockout('kim', end, end + LOCKOUT_STEP_MS)).toEqual([]);
  expect(uncountLockout('nobody', Number.NaN, NOON)).toEqual([]);
});

test('readStatistics of an empty table are 0, from a query and a cheap read of all slices', async () => {
  expect(await read()).toEqual(NOTHING);
  expect(operations().sort()).toEqual(['BatchGetItem', 'Query']);
  const batch = wire.commands.find(({ operation }) => operation === 'BatchGetItem');
  expect(Object.values(batch?.input['RequestItems'] as object)).toMatchObject([
    { Keys: { length: allSlices.length }, ConsistentRead: false },
  ]);
});

test.each([
  [SECOND - 1, '2026-11-20T11:59:50.000Z'],
  [SECOND, '2026-11-20T12:00:00.000Z'],
  [11 * SECOND - 1, '2026-11-20T12:00:00.000Z'],
])('readStatistics after %i ms are as of the step of 10 s a second ago, %s', async (later, asOf) => {
  expect((await readStatistics(table, NOON + later)).as_of).toBe(asOf);
});

test.each([
  ['today, at its first millisecond', MIDNIGHT, 1, 1],
  ['today, at its last millisecond', MIDNIGHT + DAY_MS - 1, 1, 1],
  ['yesterday, at its last millisecond', MIDNIGHT - 1, 1, 0],
  ['six days ago, at its first millisecond', MIDNIGHT - 6 * DAY_MS, 1, 0],
  ['seven days ago, at its last millisecond', MIDNIGHT - 6 * DAY_MS - 1, 0, 0],
  ['tomorrow, by a fast clock', MIDNIGHT + DAY_MS, 0, 0],
])('readStatistics count an account that was last active %s', async (_when, active, last_week, today) => {
  await write(moveActivity('ada', active));
  for (const now of [MIDNIGHT, NOON, MIDNIGHT + DAY_MS - 1])
    expect(await read(now)).toEqual({ ...NOTHING, last_week, today });
});

test('readStatistics sum the days of the week over all slices', async () => {
  for (let ago = 0; ago < 9; ago++) await write(moveActivity('ada', NOON - ago * DAY_MS));
  await write(moveActivity('grace', NOON));
  expect(await read()).toEqual({ ...NOTHING, last_week: 8, today: 2 });
});

test('readStatistics sum the counters of their shards and no other item, in any case of a username', async () => {
  await put(table, passwordCostKey, { cost: 12 });
  for (const username of ['ada', 'ADA', 'grace']) await write(countIn('COUNT', username, 1));
  await write(countIn('COUNT', 'ada', -1), countIn('LOCKED', 'ada', 1));
  expect(await query(table, allCounters)).toMatchObject([
    { ...counterKey('COUNT', 'grace'), n: 1 },
    { ...counterKey('COUNT', 'ada'), n: 1 },
    { ...counterKey('LOCKED', 'ada'), n: 1 },
    passwordCostKey,
  ]);
  expect(await read()).toEqual({ ...NOTHING, count: 2, locked: 1 });
});

test('readStatistics counts permanently locked accounts, and others until their lockouts end', async () => {
  const end = NOON + 60 * SECOND;
  await write(countIn('LOCKED', 'ada', 1), await countLockout(table, 'kim', end, NOON));
  for (const [later, locked] of [
    [0, 2],
    [69, 2],
    [70, 1],
  ] as const)
    expect(await read(NOON + later * SECOND)).toEqual({ ...NOTHING, locked });
  // Earlier versions did not count lockouts.
  await write(...uncountLockout('kim', end, NOON), ...uncountLockout('lee', end, NOON));
  expect(await read()).toEqual({ ...NOTHING, locked: 1 });
});

test.each([
  ['repeat statistics of less than 45 s ago', 45 * SECOND - 1, 0],
  ['are read again after 45 s', 45 * SECOND, 1],
  ['are read again when the clock was set back', -1, 1],
])('recentStatistics %s', async (_what, later, today) => {
  await readStatistics(table, NOON);
  await write(moveActivity('ada', NOON));
  wire.reset();
  expect((await recentStatistics(table, NOON + later)).today).toBe(today);
  expect(operations()).toHaveLength(2 * today);
});

test('recentStatistics are read in an execution environment that has not read them', async () => {
  const another = { ...table, client: Object.create(table.client) };
  await readStatistics(table, NOON);
  await write(moveActivity('ada', NOON));
  expect((await recentStatistics(another, NOON)).today).toBe(1);
});
