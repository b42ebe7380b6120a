import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { isUnused } from '#lib/account/account';
import {
  isActivityDue,
  recordDailyActivity,
  recordSessionActivity,
  recordTokenUse,
  withinGrace,
} from '#lib/auth/activity';
import { type Account, FOREVER } from '#lib/item/account';
import type { TokenItem } from '#lib/item/token';
import { accountKey, counterKey, tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { DAY_MS, dateOf, startOfDay, withOffset, withoutZone } from '#lib/time';
import { hashApiToken } from '#lib/token/secret';
import { NOON, openTestTable } from '../engine.ts';

const { table, wire, clock, runtime, account, operations } = await openTestTable();
const MINUTE = 60_000;
const MIDNIGHT = startOfDay(NOON);

/** An account that was last active at a time, and whatever else is told of it. */
async function activeAt(time: number, part: Partial<Account> = {}): Promise<Account> {
  const created = await account();
  const item = { ...created, lastActivity: withoutZone(time), never_used: false, ...part };
  await put(table, accountKey(created.username), item);
  wire.reset();
  return item;
}

const stored = async ({ username }: Account) => (await get(table, accountKey(username))) as Account;

/** Why an account cannot authenticate. */
const BARRED: [string, Partial<Account>][] = [
  ['cancelled', { isactive: false }],
  ['locked for good', { lockoutend: FOREVER }],
];

test.each([
  [MINUTE - 1, false],
  [MINUTE, true],
])('activity %i ms after the last is due: %s', async (ms, due) => {
  expect(isActivityDue(await activeAt(NOON), NOON + ms)).toBe(due);
});

describe('the activity of a session', () => {
  const record = (of: Account, { id = of.id, stamp = of.stamp } = {}) =>
    recordSessionActivity(runtime, of.username, id, stamp);

  test.each([
    ['a minute after the last', NOON - MINUTE, {}],
    ['whose last was at midnight', MIDNIGHT, {}],
    ['of an account that is locked for a time', NOON - MINUTE, { lockoutend: withOffset(NOON + MINUTE) }],
    ['of an account whose lockout is over', NOON - MINUTE, { lockoutend: withOffset(NOON - MINUTE) }],
  ])('is written %s', async (_name, last, part) => {
    const before = await activeAt(last, part);
    await record(before);
    expect(await stored(before)).toEqual({ ...before, lastActivity: withoutZone(NOON), ...keyOf(before) });
  });

  test.each<[string, number, Partial<Account>]>([
    ['less than a minute after the last', NOON - MINUTE + 1, {}],
    ['where it is the first of the day', MIDNIGHT - 1, {}],
    ['where it is the first of all', NOON - MINUTE, { never_used: true }],
    ...BARRED.map(([why, part]): [string, number, Partial<Account>] => [
      `of an account that is ${why}`,
      NOON - MINUTE,
      part,
    ]),
  ])('is not written %s', async (_name, last, part) => {
    const before = await activeAt(last, part);
    await record(before);
    expect(operations()).toEqual(['UpdateItem']);
    expect((await stored(before)).lastActivity).toBe(before.lastActivity);
  });

  test.each([
    ['stamp', { stamp: 'old' }],
    ['id', { id: 'other' }],
  ])('is not written where the %s of the session is another', async (_name, session) => {
    const before = await activeAt(NOON - MINUTE);
    await record(before, session);
    expect((await stored(before)).lastActivity).toBe(before.lastActivity);
  });

  test('makes no account where there is none', async () => {
    await recordSessionActivity(runtime, 'nobody', 'id', 'stamp');
    expect(await get(table, accountKey('nobody'))).toBeUndefined();
  });
});

const keyOf = ({ username }: Account) => ({
  ...accountKey(username),
});

describe('the use of a token', () => {
  const key = tokenKey(hashApiToken('token'));

  /** A token of an account, and the account, each last active at a time. */
  async function tokenOf({
    ownerAt = NOON - MINUTE,
    usedAt = undefined as number | undefined,
    part = {} as Partial<Account>,
  } = {}) {
    const owner = await activeAt(ownerAt, part);
    const token: TokenItem = {
      username: owner.username,
      userid: owner.id,
      name: 'ci',
      token_created_at: withoutZone(NOON - DAY_MS),
      token_created_by: 'admin',
      ...(usedAt === undefined ? {} : { token_used_at: withoutZone(usedAt) }),
    };
    await put(table, key, token);
    wire.reset();
    return { owner, token };
  }

  /** What is stored of both. */
  const both = async (owner: Account) => ({
    used: (await get(table, key))?.token_used_at,
    active: (await stored(owner)).lastActivity,
  });

  test.each([
    ['for the first time', undefined],
    ['a minute after the last', NOON - MINUTE],
  ])('is written %s, with the activity of its owner', async (_name, usedAt) => {
    const { owner, token } = await tokenOf({ ...(usedAt === undefined ? {} : { usedAt }) });
    await recordTokenUse(runtime, key, token);
    expect(await both(owner)).toEqual({ used: withoutZone(NOON), active: withoutZone(NOON) });
    expect(operations().slice(0, -2)).toEqual(['TransactWriteItems']);
  });

  test('is not even sent less than a minute after the last', async () => {
    const { token } = await tokenOf({ usedAt: NOON - MINUTE + 1 });
    await recordTokenUse(runtime, key, token);
    expect(operations()).toEqual([]);
  });

  test('is not written where another request has written it meanwhile', async () => {
    const { owner, token } = await tokenOf({ usedAt: NOON - MINUTE + 1 });
    const { token_used_at: _, ...before } = token;
    await recordTokenUse(runtime, key, before);
    expect(await both(owner)).toEqual({
      used: withoutZone(NOON - MINUTE + 1),
      active: owner.lastActivity,
    });
  });

  test.each([
    ['is not due', NOON - 1],
    ['moves to another day', MIDNIGHT - 1],
  ])('is written alone where the activity of its owner %s', async (_name, ownerAt) => {
    const { owner, token } = await tokenOf({ ownerAt });
    await recordTokenUse(runtime, key, token);
    expect(await both(owner)).toEqual({ used: withoutZone(NOON), active: owner.lastActivity });
  });

  test.each(BARRED)('is not written where its owner is %s', async (_name, part) => {
    for (const ownerAt of [NOON - MINUTE, NOON - 1]) {
      const { owner, token } = await tokenOf({ ownerAt, part });
      await recordTokenUse(runtime, key, token);
      expect(await both(owner)).toEqual({ used: undefined, active: owner.lastActivity });
    }
  });

  test('is not written where its owner is another account of this name, or none', async () => {
    const { owner, token } = await tokenOf();
    await recordTokenUse(runtime, key, { ...token, userid: 'other' });
    expect(await both(owner)).toEqual({ used: undefined, active: owner.lastActivity });
    await remove(table, accountKey(owner.username));
    await recordTokenUse(runtime, key, token);
    expect((await get(table, key))?.token_used_at).toBeUndefined();
  });

  test('brings no token back that was deleted meanwhile', async () => {
    const { owner, token } = await tokenOf();
    await remove(table, key);
    await recordTokenUse(runtime, key, token);
    expect(await both(owner)).toEqual({ used: undefined, active: owner.lastActivity });
    expect(await get(table, key)).toBeUndefined();
  });
});

describe('the first activity of a day', () => {
  const YESTERDAY = NOON - DAY_MS;
  const countOf = async ({ username }: Account, time: number) =>
    (await get(table, counterKey(`DAY#${dateOf(time)}`, username)))?.n ?? 0;
  /** By how much the counters of yesterday and today differ from before. */
  const counted = async (of: Account, work: () => Promise<unknown>) => {
    const before = [await countOf(of, YESTERDAY), await countOf(of, NOON)] as const;
    wire.reset();
    await work();
    return [(await countOf(of, YESTERDAY)) - before[0], (await countOf(of, NOON)) - before[1]];
  };

  test('moves the account from the day before to this one', async () => {
    const before = await activeAt(YESTERDAY);
    expect(await counted(before, () => recordDailyActivity(runtime, before))).toEqual([-1, 1]);
    expect((await stored(before)).lastActivity).toBe(withoutZone(NOON));
  });

  test('counts once, however many requests record it', async () => {
    const before = await activeAt(YESTERDAY);
    const all = () => Promise.all(Array.from({ length: 4 }, () => recordDailyActivity(runtime, before)));
    expect(await counted(before, all)).toEqual([-1, 1]);
    clock.time = NOON + 1;
    expect(await counted(before, () => recordDailyActivity(runtime, before))).toEqual([0, 0]);
    expect((await stored(before)).lastActivity).toBe(withoutZone(NOON));
  });

  test.each([
    ['later the same day', MIDNIGHT, NOON],
    ['less than a minute after the last of the day before', MIDNIGHT - 1, MIDNIGHT + MINUTE - 2],
  ])('is not %s', async (_name, last, time) => {
    const before = await activeAt(last);
    clock.time = time;
    await recordDailyActivity(runtime, before);
    expect(operations()).toEqual([]);
  });

  test('of an account that was never used moves it from no day, and is written at once', async () => {
    for (const created of [NOON, NOON - 1, YESTERDAY]) {
      const before = await activeAt(created, { created_at: withoutZone(created), never_used: true });
      expect(isUnused(before)).toBe(true);
      const all = () => Promise.all(Array.from({ length: 4 }, () => recordDailyActivity(runtime, before)));
      expect(await counted(before, all)).toEqual([0, 1]);
      const after = await stored(before);
      expect(after).toMatchObject({ lastActivity: withoutZone(NOON), never_used: false });
      expect(isUnused(after)).toBe(false);
      expect(await counted(after, () => recordDailyActivity(runtime, after))).toEqual([0, 0]);
    }
  });

  test('of an account of an earlier version moves it from the day of its creation, which counted it', async () => {
    const { never_used: _, ...before } = await activeAt(YESTERDAY, { created_at: withoutZone(YESTERDAY) });
    await put(table, accountKey(before.username), before);
    expect(isUnused(before)).toBe(true);
    expect(await counted(before, () => recordDailyActivity(runtime, before))).toEqual([-1, 1]);
    expect(isUnused(await stored(before))).toBe(false);
  });

  test('keeps its counter for two days longer than it is read', async () => {
    const before = await activeAt(YESTERDAY);
    await recordDailyActivity(runtime, before);
    expect(await get(table, counterKey(`DAY#${dateOf(NOON)}`, before.username))).toMatchObject({
      ttl: (NOON + 9 * DAY_MS) / 1000,
    });
  });

  test('is one a minute after the last of the day before', async () => {
    const before = await activeAt(MIDNIGHT - 1);
    clock.time = MIDNIGHT + MINUTE - 1;
    await recordDailyActivity(runtime, before);
    expect((await stored(before)).lastActivity).toBe(withoutZone(clock.time));
  });
});

describe('an answer waits for activity to be recorded', () => {
  test('until it is', async () => {
    let recorded = false;
    const recording = turn().then(() => {
      recorded = true;
    });
    await withinGrace(recording);
    expect(recorded).toBe(true);
  });

  test.each([
    ['but not for success', () => Promise.reject(new Error('down'))],
    ['but not for long', () => new Promise(() => undefined)],
    ['and not where nothing is', () => undefined],
  ])('%s', async (_name, recording) => {
    await expect(withinGrace(recording())).resolves.toBeUndefined();
  });
});
