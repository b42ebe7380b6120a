import { beforeEach, expect, test } from 'vitest';
import { countLockout, LOCKOUT_STEP_MS, moveActivity, totalsOf, uncountLockout } from '#lib/stats/slices';
import { allSlices, sliceKey } from '#lib/table/keys';
import { get, getAll } from '#lib/table/read';
import { put, type TransactWrite, transact } from '#lib/table/write';
import { DAY_MS, dateOf } from '#lib/time';
import { NOON, openTestTable } from '../support/engine.ts';
import { removeAll } from '../support/remove-all.ts';

const { table, operations, wire } = await openTestTable();

const STEP = LOCKOUT_STEP_MS;
const key = sliceKey('ada');
const write = (...writes: TransactWrite[]) => transact(table, writes);
const totals = async () => totalsOf((await getAll(table, allSlices)).filter((slice) => slice !== undefined));
/** The counters of the slice of Ada. */
async function counters() {
  const { PK: _1, SK: _2, ...slice } = (await get(table, key)) as Record<string, unknown>;
  return slice;
}

beforeEach(async () => {
  await removeAll(table, allSlices);
  wire.reset();
});

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

test('moveActivity counts an account on its day, and no longer on the day before', async () => {
  await write(moveActivity('ada', NOON - DAY_MS));
  expect(await counters()).toEqual({ 'active:2026-11-19': 1 });
  await write(moveActivity('ada', NOON, NOON - DAY_MS));
  expect(await counters()).toEqual({ 'active:2026-11-19': 0, 'active:2026-11-20': 1 });
  const { activeOn } = await totals();
  expect([activeOn(NOON), activeOn(NOON - DAY_MS)]).toEqual([1, 0]);
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

test('countLockout counts an account until the step of 10 s in which its lockout ends is over', async () => {
  const last = NOON + 15 * 60_000 + STEP - 1;
  await write(await countLockout(table, 'ada', last - STEP + 2, NOON));
  // Another lock replaces it.
  await write(await countLockout(table, 'ada', last, NOON, last - STEP + 2));
  const { lockedAt } = await totals();
  expect([NOON, last, last + 1].map(lockedAt)).toEqual([1, 1, 0]);
});

test('countLockout removes the lockouts of the slice that have ended, and no days', async () => {
  await write(moveActivity('ada', NOON));
  const now = NOON / STEP;
  const ended = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`until:${now - 1 - n}`, 1]));
  await put(table, key, { ...(await get(table, key)), ...ended, [`until:${now}`]: 2 });
  wire.reset();
  await write(await countLockout(table, 'ada', NOON + STEP, NOON));
  expect(operations()).toEqual(['GetItem', 'TransactWriteItems']);
  expect(await counters()).toEqual({
    'active:2026-11-20': 1,
    [`until:${now}`]: 2,
    [`until:${now + 1}`]: 1,
  });
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
  await write(...uncountLockout('ada', end, end + STEP - 1));
  expect((await totals()).lockedAt(NOON)).toBe(1);
  expect(uncountLockout('kim', end, end + STEP)).toEqual([]);
  expect(uncountLockout('nobody', Number.NaN, NOON)).toEqual([]);
});
