import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isUnused } from '#lib/account/account';
import { recordUse, withinGrace } from '#lib/auth/activity';
import type { Account } from '#lib/item/account';
import { asStored } from '#lib/item/token';
import { accountKey, sliceKey, tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { DAY_MS, dateOf, MINUTE_MS, startOfDay, withoutZone } from '#lib/time';
import { hashApiToken } from '#lib/token/secret';
import { type AccountOverrides, NOON, openTestTable } from '../support/engine.ts';
import { tokenItem } from '../support/items.ts';
import { endLimits } from '../support/limits.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, wire, clock, runtime, account, stored, operations } = await openTestTable();
const MIDNIGHT = startOfDay(NOON);
const YESTERDAY = NOON - DAY_MS;

/** An account that was last active at a time. */
async function activeAt(time: number, part: AccountOverrides = {}): Promise<Account> {
  const item = await account({ lastActivity: withoutZone(time), never_used: false, ...part });
  wire.reset();
  return item;
}

/** A presented token, and when it was last used. */
async function tokenOf({ username, id }: Account, used: number | 'never') {
  const item = tokenItem({
    username,
    userid: id,
    ...(used === 'never' ? {} : { token_used_at: withoutZone(used) }),
  });
  const key = tokenKey(hashApiToken(username));
  await put(table, key, asStored(item));
  wire.reset();
  return { key, item };
}
const usedAt = async ({ username }: Account) =>
  (await get(table, tokenKey(hashApiToken(username))))?.token_used_at;

const [NOTHING, ONE, BOTH] = [[], ['UpdateItem'], ['TransactWriteItems']];
type Used = number | 'never' | undefined;

test.each<
  [
    string,
    { active: number; used: Used; sent: readonly string[]; written: 'activity' | 'use' | 'both' | 'neither' },
  ]
>([
  [
    'the activity of an account',
    { active: NOON - MINUTE_MS, used: undefined, sent: ONE, written: 'activity' },
  ],
  ['activity after one at midnight', { active: MIDNIGHT, used: undefined, sent: ONE, written: 'activity' }],
  ['the first activity of a day', { active: MIDNIGHT - 1, used: undefined, sent: BOTH, written: 'activity' }],
  [
    'nothing while activity is not due',
    { active: NOON - MINUTE_MS + 1, used: undefined, sent: NOTHING, written: 'neither' },
  ],
  [
    'the first use of a token, with activity',
    { active: NOON - MINUTE_MS, used: 'never', sent: BOTH, written: 'both' },
  ],
  [
    'a later use of a token, with activity',
    { active: NOON - MINUTE_MS, used: NOON - MINUTE_MS, sent: BOTH, written: 'both' },
  ],
  [
    'the use of a token, with the first activity of a day',
    { active: MIDNIGHT - 1, used: 'never', sent: BOTH, written: 'both' },
  ],
  [
    'the use of a token alone while activity is not due',
    { active: NOON - 1, used: 'never', sent: ONE, written: 'use' },
  ],
  [
    'activity alone while the use of a token is not due',
    { active: NOON - MINUTE_MS, used: NOON - MINUTE_MS + 1, sent: ONE, written: 'activity' },
  ],
])('a request writes %s', async (_title, { active, used, sent, written }) => {
  const owner = await activeAt(active);
  const token = used === undefined ? undefined : await tokenOf(owner, used);
  await recordUse(runtime, owner, token);
  expect(operations()).toEqual(sent);
  const isWritten = (part: string) => written === 'both' || written === part;
  const lastActivity = isWritten('activity') ? withoutZone(NOON) : owner.lastActivity;
  expect(await stored(owner)).toEqual({ ...owner, lastActivity, ...accountKey(owner.username) });
  expect(await usedAt(owner)).toBe(isWritten('use') ? withoutZone(NOON) : token?.item.token_used_at);
});

const [BEFORE, OTHER, NOW] = [NOON - MINUTE_MS, NOON - 1, NOON].map(withoutZone);
const keyOf = ({ username }: Account) => tokenKey(hashApiToken(username));
const used = ({ username, id }: Account) =>
  asStored(tokenItem({ username, userid: id, token_used_at: OTHER as string }));
const change = (part: Partial<Account>) => (owner: Account) => setAttributes(table, owner, part);

test.each<[string, (owner: Account) => Promise<unknown>, (string | undefined)[]]>([
  ['writes the use alone after other activity', change({ lastActivity: OTHER as string }), [OTHER, NOW]],
  ['creates no account', ({ username }) => remove(table, accountKey(username)), [undefined, NOW]],
  ['writes nothing after another use', (owner) => put(table, keyOf(owner), used(owner)), [BEFORE, OTHER]],
  ['creates no token', (owner) => remove(table, keyOf(owner)), [BEFORE, undefined]],
])('a request whose account or token has changed meanwhile %s', async (_title, meanwhile, expected) => {
  const owner = await activeAt(NOON - MINUTE_MS);
  const token = await tokenOf(owner, 'never');
  await meanwhile(owner);
  await recordUse(runtime, owner, token);
  expect([(await stored(owner))?.lastActivity, await usedAt(owner)]).toEqual(expected);
});

const countOf = async ({ username }: Account, time: number) =>
  (await get(table, sliceKey(username)))?.[`active:${dateOf(time)}`] ?? 0;
/** Differences of the counters of yesterday and today after a use. */
const counted = async (of: Account, requests = 1) => {
  const before = [await countOf(of, YESTERDAY), await countOf(of, NOON)] as const;
  await Promise.all(Array.from({ length: requests }, () => recordUse(runtime, of)));
  return [(await countOf(of, YESTERDAY)) - before[0], (await countOf(of, NOON)) - before[1]];
};

test('the first activity of a day moves the account to this day once, however many requests record it', async () => {
  const before = await activeAt(YESTERDAY);
  expect(await counted(before, 4)).toEqual([-1, 1]);
  clock.time = NOON + 1;
  expect(await counted(before)).toEqual([0, 0]);
  expect((await stored(before)).lastActivity).toBe(withoutZone(NOON));
});

test.each([0, 1, DAY_MS])(
  'the first activity of a day of an unused account comes from no day, %i ms after its creation',
  async (ms) => {
    const time = NOON - ms;
    const before = await activeAt(time, { created_at: withoutZone(time), never_used: true });
    expect(isUnused(before)).toBe(true);
    expect(await counted(before, 4)).toEqual([0, 1]);
    const after = await stored(before);
    expect(after).toMatchObject({ lastActivity: withoutZone(NOON), never_used: false });
    expect(isUnused(after)).toBe(false);
    expect(await counted(after)).toEqual([0, 0]);
  },
);

test('the first activity of a day of an unused account of an earlier version comes from the day of its creation', async () => {
  const { never_used: _, ...before } = await activeAt(YESTERDAY, { created_at: withoutZone(YESTERDAY) });
  await put(table, accountKey(before.username), before);
  expect(isUnused(before)).toBe(true);
  expect(await counted(before)).toEqual([-1, 1]);
  expect(isUnused(await stored(before))).toBe(false);
});

test('an answer waits until activity is recorded', async () => {
  let recorded = false;
  await withinGrace(
    turn().then(() => {
      recorded = true;
    }),
  );
  expect(recorded).toBe(true);
});

test.each([
  ['does not wait for success', () => Promise.reject(new Error('down'))],
  ['does not wait when nothing is recorded', () => undefined],
])('an answer %s', async (_title, recording) => {
  await expect(withinGrace(recording())).resolves.toBeUndefined();
});

test('an answer waits for 25 ms at most', async () => {
  endLimits();
  await expect(withinGrace(new Promise(() => undefined))).resolves.toBeUndefined();
  expect(AbortSignal.timeout).toHaveBeenCalledExactlyOnceWith(25);
});
