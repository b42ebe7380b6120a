import { beforeEach, describe, expect, test } from 'vitest';
import { countLockout, LOCKOUT_STEP_MS, moveActivity, totalsOf, uncountLockout } from '#lib/stats/slices';
import { allSlices, sliceKey } from '#lib/table/keys';
import { get, getAll } from '#lib/table/read';
import { put, remove, transact } from '#lib/table/write';
import { NOON, openTestTable } from '../support/engine.ts';

const { table, operations, wire } = await openTestTable();

const DAY = 86_400_000;
const STEP = LOCKOUT_STEP_MS;

beforeEach(async () => {
  await Promise.all(allSlices.map((key) => remove(table, key)));
  wire.reset();
});

const add = (...writes: Parameters<typeof transact>[1]) => transact(table, writes);
const totals = async () => totalsOf((await getAll(table, allSlices)).filter((slice) => slice !== undefined));
/** What stands in the slice of a username. */
async function sliceOf(username: string) {
  const { PK: _1, SK: _2, ...slice } = (await get(table, sliceKey(username))) as Record<string, unknown>;
  return slice;
}

test('the slices are 64 items in as many partitions, which usernames are spread over', () => {
  expect(new Set(allSlices.map(({ PK }) => PK)).size).toBe(64);
  const used = Map.groupBy(
    Array.from({ length: 6400 }, (_, n) => sliceKey(`user-${n}`).PK),
    (PK) => PK,
  );
  expect([...used.keys()].sort()).toEqual(allSlices.map(({ PK }) => PK).sort());
  expect(Math.max(...[...used.values()].map(({ length }) => length))).toBeLessThan(150);
  expect(sliceKey('ADA')).toEqual(sliceKey('ada'));
});

describe('an account that is active', () => {
  test('arrives at the day', async () => {
    await add(moveActivity('ada', NOON));
    expect(await sliceOf('ada')).toEqual({ 'active:2026-11-20': 1 });
  });

  test('leaves the day that it was last active on, in the same write', async () => {
    await add(moveActivity('ada', NOON - DAY));
    await add(moveActivity('ada', NOON, NOON - DAY));
    expect(await sliceOf('ada')).toEqual({ 'active:2026-11-19': 0, 'active:2026-11-20': 1 });
    expect([(await totals()).activeOn(NOON), (await totals()).activeOn(NOON - DAY)]).toEqual([1, 0]);
  });

  test.each([
    ['a millisecond less than nine days ago', 9 * DAY - 1, [1, -1]],
    ['nine days ago, where its counter may have been removed', 9 * DAY, [1]],
    ['long ago', 400 * DAY, [1]],
  ])('and was last so %s is counted in as many days as are kept', (_when, ago, moves) => {
    const { Update } = moveActivity('ada', NOON, NOON - ago);
    expect(Object.values(Update?.ExpressionAttributeValues ?? {})).toEqual(moves);
  });

  test('leaves a day that is the epoch itself', () => {
    const { Update } = moveActivity('ada', DAY + 1, 0);
    expect(Object.values(Update?.ExpressionAttributeNames ?? {})).toContain('active:1970-01-01');
  });

  test('removes the days that nobody reads any more, and no others', async () => {
    for (let ago = 30; ago >= 0; ago--) await add(moveActivity('ada', NOON - ago * DAY));
    const days = Array.from({ length: 10 }, (_, n) => `active:2026-11-${20 - n}`);
    expect(Object.keys(await sliceOf('ada')).sort()).toEqual(days.sort());
  });
});

describe('an account that is locked for a time', () => {
  test('is counted from now to the step of 10 s that its lockout ends in', async () => {
    await add(await countLockout(table, 'ada', NOON + 15 * 60_000 + 1, NOON));
    const { lockedAt } = await totals();
    const last = NOON + 15 * 60_000 + STEP - 1;
    expect([NOON, last, last + 1].map(lockedAt)).toEqual([1, 1, 0]);
  });

  test('is counted no more once that is taken back, unless it has ended', async () => {
    const end = NOON + 60_000;
    for (const username of ['ada', 'kim']) await add(await countLockout(table, username, end, NOON));
    // As long as it is counted: to the end of the step.
    await add(...uncountLockout('ada', end, end + STEP - 1));
    expect((await totals()).lockedAt(NOON)).toBe(1);
    expect(uncountLockout('kim', end, end + STEP)).toEqual([]);
    expect(uncountLockout('nobody', Number.NaN, NOON)).toEqual([]);
  });

  test('reads its slice and removes what has ended, and the days stay', async () => {
    await add(moveActivity('ada', NOON));
    const key = sliceKey('ada');
    const ended = Object.fromEntries(
      Array.from({ length: 90 }, (_, n) => [`until:${NOON / STEP - 1 - n}`, 1]),
    );
    await put(table, key, { ...(await get(table, key)), ...ended, [`until:${NOON / STEP}`]: 2 });
    wire.reset();
    await add(await countLockout(table, 'ada', NOON + STEP, NOON));
    expect(operations()).toEqual(['GetItem', 'TransactWriteItems']);
    expect(await sliceOf('ada')).toEqual({
      'active:2026-11-20': 1,
      [`until:${NOON / STEP}`]: 2,
      [`until:${NOON / STEP + 1}`]: 1,
    });
  });

  test('leaves to the next what an expression has no room for', async () => {
    const key = sliceKey('ada');
    const ended = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`until:${n}`, 1]));
    await put(table, key, ended);
    const sizes = [];
    for (let n = 0; n < 2; n++) {
      await add(await countLockout(table, 'ada', NOON, NOON));
      sizes.push(Object.keys(await sliceOf('ada')).length);
    }
    expect(sizes).toEqual([51, 1]);
  });
});
