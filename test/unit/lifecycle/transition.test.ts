import { describe, expect, test } from 'vitest';
import type { Account } from '#lib/item/account';
import { cancelAccount, reactivateAccount } from '#lib/lifecycle/cancel';
import { lockAccount, unlockAccount } from '#lib/lifecycle/lock';
import { transition } from '#lib/lifecycle/transition';
import { pendingEvents } from '#lib/outbox/outbox';
import { accountKey, teamKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { readCounters } from '#lib/table/stats';
import { remove } from '#lib/table/write';
import { COLLISION } from '../../wire/dynamodb-proxy.ts';
import { NOON, openTestTable } from '../engine.ts';
import { openTestBus } from '../event-bus.ts';
import { lockUntil, setAttributes } from '../set-attributes.ts';

const { table, runtime, account, operations, wire } = await openTestTable();
const bus = await openTestBus();

const FOREVER = '9999-12-31T23:59:59+00:00';
const stored = async ({ username }: Account) => (await get(table, accountKey(username))) as Account;
const administrator = () => account({ roles: ['x', 'sys_administrator'] });

type Change = (caller: Account, target: Account) => Promise<{ changed: boolean }>;

/** Each change of state, and the state that it leads out of. */
const CHANGES: [string, Partial<Account>, Change][] = [
  ['lock', {}, (caller, target) => lockAccount(runtime, caller, target)],
  ['unlock', { lockoutend: FOREVER }, (caller, target) => unlockAccount(runtime, caller, target)],
  [
    'cancel',
    {},
    (caller, target) => cancelAccount({ ...runtime, publish: bus.publish }, caller, target, 'request'),
  ],
  ['reactivate', { isactive: false }, (caller, target) => reactivateAccount(runtime, caller, target)],
];

/** What makes that an account is no administrator any more, after it was read. */
const LOSSES: [string, (caller: Account) => Promise<unknown>][] = [
  ['has lost the role', (caller) => setAttributes(table, caller, { roles: ['x', 'sys_tokens'] })],
  ['has lost all roles', (caller) => setAttributes(table, caller, { roles: [] })],
  ['was locked', (caller) => setAttributes(table, caller, { lockoutend: FOREVER })],
  ['was cancelled', (caller) => setAttributes(table, caller, { isactive: false })],
  ['is gone', (caller) => remove(table, accountKey(caller.username))],
];

describe.each(CHANGES)('the caller of %s', (_name, from, change) => {
  test.each(LOSSES)('who %s a moment ago changes nothing', async (_what, lose) => {
    const caller = await administrator();
    const created = await account();
    const target =
      Object.keys(from).length > 0 ? await setAttributes(table, created, from) : await stored(created);
    await lose(caller);
    const counters = await readCounters(table, NOON);
    await expect(change(caller, target)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await stored(target)).toEqual(target);
    expect(await readCounters(table, NOON)).toEqual(counters);
    expect(await pendingEvents(table)).toEqual([]);
    expect(bus.calls).toEqual([]);
  });

  test('who is locked for a time only still is an administrator', async () => {
    const caller = await administrator();
    await lockUntil(table, caller, NOON + 60_000);
    const target = await setAttributes(table, await account(), { user_short: '', ...from });
    expect(await change(caller, target)).toMatchObject({ changed: true });
  });
});

describe('a change of state', () => {
  const renamed = { isDue: () => true, to: { user_short: 'NEW' } };

  test('is one transaction', async () => {
    const [caller, target] = [await administrator(), await account()];
    wire.reset();
    await transition(table, caller, target, renamed);
    expect(operations()).toEqual(['TransactWriteItems']);
  });

  test('answers the account as it is written', async () => {
    const target = await stored(await account());
    const result = await transition(table, undefined, target, renamed);
    expect(result).toEqual({ account: { ...target, user_short: 'NEW' }, changed: true });
    expect(await stored(target)).toEqual(result.account);
  });

  test('leaves alone what it is not due for', async () => {
    const target = await account();
    wire.reset();
    const result = await transition(table, undefined, target, { ...renamed, isDue: () => false });
    expect(result).toEqual({ account: target, changed: false });
    expect(operations()).toEqual([]);
  });

  test.each<[string, Partial<Account>]>([
    ['isactive', { isactive: false }],
    ['lockoutend', { lockoutend: FOREVER }],
  ])('is decided anew where %s has changed since it was read', async (_name, meanwhile) => {
    const stale = await account();
    const fresh = await setAttributes(table, stale, meanwhile);
    const seen: Account[] = [];
    const isDue = (before: Account) => seen.push(before) > 0;
    await transition(table, undefined, stale, { ...renamed, isDue });
    expect(seen).toEqual([stale, fresh]);
  });

  test.each<[string, Partial<Account>]>([
    ['roles', { roles: ['meanwhile'] }],
    ['last activity', { lastActivity: '2026-11-20T12:00:01.000' }],
  ])('without an event does not mind that the %s changed', async (_name, meanwhile) => {
    const stale = await account();
    await setAttributes(table, stale, meanwhile);
    wire.reset();
    await transition(table, undefined, stale, renamed);
    expect(operations()).toEqual(['TransactWriteItems']);
    expect(await stored(stale)).toMatchObject({ ...meanwhile, user_short: 'NEW' });
  });

  test('writes its counters by the account as it was, in the same transaction', async () => {
    const target = await account();
    const seen: Account[] = [];
    await transition(table, undefined, target, {
      ...renamed,
      counters: (before) => {
        seen.push(before);
        return [{ Put: { Item: { ...teamKey('counted'), by: before.username } } }];
      },
    });
    expect(seen).toEqual([target]);
    expect(await get(table, teamKey('counted'))).toMatchObject({ by: target.username });
  });

  test('on oneself is not checked twice', async () => {
    const self = await administrator();
    const result = await transition(table, { ...self, username: self.username.toUpperCase() }, self, renamed);
    expect(result).toMatchObject({ changed: true });
  });

  test('that meets another transaction takes place all the same', async () => {
    const [caller, target] = [await administrator(), await account()];
    let collisions = 0;
    wire.script((operation) => {
      if (operation !== 'TransactWriteItems' || collisions > 0) return undefined;
      collisions += 1;
      return COLLISION;
    });
    expect(await lockAccount(runtime, caller, target)).toMatchObject({ changed: true });
    expect(collisions).toBe(1);
  });
});

test.each([
  ['lock', CHANGES[0]?.[2]],
  ['cancel', CHANGES[2]?.[2]],
] as [string, Change][])('of two administrators who %s each other, one remains', async (_name, change) => {
  const [one, two] = [await administrator(), await administrator()];
  const outcomes = await Promise.allSettled([change(one, two), change(two, one)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'unauthenticated' },
  });
});
