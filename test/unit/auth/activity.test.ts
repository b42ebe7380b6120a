import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { isUnused } from '#lib/account/account';
import { isActivityDue, recordUse, withinGrace } from '#lib/auth/activity';
import type { Account } from '#lib/item/account';
import type { TokenItem } from '#lib/item/token';
import { accountKey, sliceKey, tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { DAY_MS, dateOf, startOfDay, withoutZone } from '#lib/time';
import { hashApiToken } from '#lib/token/secret';
import { NOON, openTestTable } from '../support/engine.ts';

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

test.each([
  [MINUTE - 1, false],
  [MINUTE, true],
])('activity %i ms after the last is due: %s', async (ms, due) => {
  expect(isActivityDue(await activeAt(NOON), NOON + ms)).toBe(due);
});

describe('activity later on a day', () => {
  test.each([
    ['a minute after the last', NOON - MINUTE],
    ['where the last was at midnight', MIDNIGHT],
  ])('is written %s, in one write', async (_name, last) => {
    const before = await activeAt(last);
    await recordUse(runtime, before);
    expect(operations()).toEqual(['UpdateItem']);
    expect(await stored(before)).toEqual({ ...before, lastActivity: withoutZone(NOON), ...keyOf(before) });
  });

  test('is not even sent less than a minute after the last', async () => {
    await recordUse(runtime, await activeAt(NOON - MINUTE + 1));
    expect(operations()).toEqual([]);
  });

  test.each<[string, Partial<Account>]>([
    ['another request has written it', { lastActivity: withoutZone(NOON - 1) }],
    ['the account of this name is another', { id: 'other' }],
  ])('is not written where %s meanwhile', async (_name, meanwhile) => {
    const before = await activeAt(NOON - MINUTE);
    await put(table, accountKey(before.username), { ...before, ...meanwhile });
    await recordUse(runtime, before);
    expect((await stored(before)).lastActivity).toBe(meanwhile.lastActivity ?? before.lastActivity);
  });

  test('makes no account where there is none', async () => {
    const before = await activeAt(NOON - MINUTE);
    await remove(table, accountKey(before.username));
    await recordUse(runtime, before);
    expect(await get(table, accountKey(before.username))).toBeUndefined();
  });
});

const keyOf = ({ username }: Account) => ({
  ...accountKey(username),
});

describe('the use of a token', () => {
  const key = tokenKey(hashApiToken('token'));

  /** A token of an account, and the account, each last active at a time. */
  async function tokenOf({ ownerAt = NOON - MINUTE, usedAt = undefined as number | undefined } = {}) {
    const owner = await activeAt(ownerAt);
    const item: TokenItem = {
      username: owner.username,
      userid: owner.id,
      name: 'ci',
      token_created_at: withoutZone(NOON - DAY_MS),
      token_created_by: 'admin',
      ...(usedAt === undefined ? {} : { token_used_at: withoutZone(usedAt) }),
    };
    await put(table, key, item);
    wire.reset();
    return { owner, token: { key, item } };
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
    await recordUse(runtime, owner, token);
    expect(operations()).toEqual(['TransactWriteItems']);
    expect(await both(owner)).toEqual({ used: withoutZone(NOON), active: withoutZone(NOON) });
  });

  test('is written in one transaction with the first activity of a day', async () => {
    const { owner, token } = await tokenOf({ ownerAt: MIDNIGHT - 1 });
    await recordUse(runtime, owner, token);
    expect(operations()).toEqual(['TransactWriteItems']);
    expect(await both(owner)).toEqual({ used: withoutZone(NOON), active: withoutZone(NOON) });
  });

  test('is written alone where the activity of its owner is not due', async () => {
    const { owner, token } = await tokenOf({ ownerAt: NOON - 1 });
    await recordUse(runtime, owner, token);
    expect(operations()).toEqual(['UpdateItem']);
    expect(await both(owner)).toEqual({ used: withoutZone(NOON), active: owner.lastActivity });
  });

  test('is written alone where another request has written that activity meanwhile', async () => {
    const { owner, token } = await tokenOf();
    const lastActivity = withoutZone(NOON - 1);
    await put(table, accountKey(owner.username), { ...owner, lastActivity });
    await recordUse(runtime, owner, token);
    expect(await both(owner)).toEqual({ used: withoutZone(NOON), active: lastActivity });
  });

  test('is not sent less than a minute after the last, while the activity of its owner is', async () => {
    const { owner, token } = await tokenOf({ usedAt: NOON - MINUTE + 1 });
    await recordUse(runtime, owner, token);
    expect(operations()).toEqual(['UpdateItem']);
    expect(await both(owner)).toEqual({ used: withoutZone(NOON - MINUTE + 1), active: withoutZone(NOON) });
  });

  test('is not written where another request has written it meanwhile', async () => {
    const { owner, token } = await tokenOf({ usedAt: NOON - MINUTE + 1 });
    const { token_used_at: _, ...item } = token.item;
    await recordUse(runtime, owner, { key, item });
    expect(await both(owner)).toEqual({
      used: withoutZone(NOON - MINUTE + 1),
      active: owner.lastActivity,
    });
  });

  test('brings no token back that was deleted meanwhile', async () => {
    const { owner, token } = await tokenOf();
    await remove(table, key);
    await recordUse(runtime, owner, token);
    expect(await both(owner)).toEqual({ used: undefined, active: owner.lastActivity });
    expect(await get(table, key)).toBeUndefined();
  });
});

describe('the first activity of a day', () => {
  const YESTERDAY = NOON - DAY_MS;
  const countOf = async ({ username }: Account, time: number) =>
    (await get(table, sliceKey(username)))?.[`active:${dateOf(time)}`] ?? 0;
  /** By how much the counters of yesterday and today differ from before. */
  const counted = async (of: Account, work: () => Promise<unknown>) => {
    const before = [await countOf(of, YESTERDAY), await countOf(of, NOON)] as const;
    wire.reset();
    await work();
    return [(await countOf(of, YESTERDAY)) - before[0], (await countOf(of, NOON)) - before[1]];
  };

  test('moves the account from the day before to this one', async () => {
    const before = await activeAt(YESTERDAY);
    expect(await counted(before, () => recordUse(runtime, before))).toEqual([-1, 1]);
    expect((await stored(before)).lastActivity).toBe(withoutZone(NOON));
  });

  test('counts once, however many requests record it', async () => {
    const before = await activeAt(YESTERDAY);
    const all = () => Promise.all(Array.from({ length: 4 }, () => recordUse(runtime, before)));
    expect(await counted(before, all)).toEqual([-1, 1]);
    clock.time = NOON + 1;
    expect(await counted(before, () => recordUse(runtime, before))).toEqual([0, 0]);
    expect((await stored(before)).lastActivity).toBe(withoutZone(NOON));
  });

  test('is not less than a minute after the last of the day before', async () => {
    const before = await activeAt(MIDNIGHT - 1);
    clock.time = MIDNIGHT + MINUTE - 2;
    await recordUse(runtime, before);
    expect(operations()).toEqual([]);
  });

  test('is no other later the same day', async () => {
    const before = await activeAt(MIDNIGHT);
    expect(await counted(before, () => recordUse(runtime, before))).toEqual([0, 0]);
  });

  test('of an account that was never used moves it from no day, and is written at once', async () => {
    for (const created of [NOON, NOON - 1, YESTERDAY]) {
      const before = await activeAt(created, { created_at: withoutZone(created), never_used: true });
      expect(isUnused(before)).toBe(true);
      const all = () => Promise.all(Array.from({ length: 4 }, () => recordUse(runtime, before)));
      expect(await counted(before, all)).toEqual([0, 1]);
      const after = await stored(before);
      expect(after).toMatchObject({ lastActivity: withoutZone(NOON), never_used: false });
      expect(isUnused(after)).toBe(false);
      expect(await counted(after, () => recordUse(runtime, after))).toEqual([0, 0]);
    }
  });

  test('of an account of an earlier version moves it from the day of its creation, which counted it', async () => {
    const { never_used: _, ...before } = await activeAt(YESTERDAY, { created_at: withoutZone(YESTERDAY) });
    await put(table, accountKey(before.username), before);
    expect(isUnused(before)).toBe(true);
    expect(await counted(before, () => recordUse(runtime, before))).toEqual([-1, 1]);
    expect(isUnused(await stored(before))).toBe(false);
  });

  test('is one a minute after the last of the day before', async () => {
    const before = await activeAt(MIDNIGHT - 1);
    clock.time = MIDNIGHT + MINUTE - 1;
    await recordUse(runtime, before);
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
