import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { transition } from '#lib/account/lifecycle/transition';
import type { Account } from '#lib/item/account';
import type { Announcement } from '#lib/outbox/announcement';
import { accountKey, teamKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { COLLISION } from '../../../wire/dynamodb-proxy.ts';
import { NOON, openTestTable } from '../../support/engine.ts';
import { openTestBus } from '../../support/event-bus.ts';
import { setAttributes } from '../../support/set-attributes.ts';

const { table, account, operations, wire } = await openTestTable();

const FOREVER = '9999-12-31T23:59:59+00:00';
const stored = async ({ username }: Account) => (await get(table, accountKey(username))) as Account;

const bus = await openTestBus();
const announcement: Announcement = {
  publish: bus.publish,
  of: ({ user_app_name }) => ({
    id: randomUUID(),
    detailType: 'test',
    detail: { app: user_app_name },
    createdAt: NOON,
  }),
  expected: ({ user_app_name }) => ({ user_app_name }),
};

describe('a change of state', () => {
  beforeEach(() => {
    // Waits between attempts are as short as they can be.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    return () => vi.restoreAllMocks();
  });

  const renamed = { isDue: () => true, to: { user_short: 'NEW' }, announcement: undefined };

  test('is one transaction', async () => {
    const target = await account();
    wire.reset();
    await transition(table, target, renamed);
    expect(operations()).toEqual(['TransactWriteItems']);
  });

  test('answers the account as it is written', async () => {
    const target = await stored(await account());
    const result = await transition(table, target, renamed);
    expect(result).toEqual({ account: { ...target, user_short: 'NEW', transitions: 1 }, changed: true });
    expect(await stored(target)).toEqual(result.account);
  });

  test('leaves alone what it is not due for', async () => {
    const target = await account();
    wire.reset();
    const result = await transition(table, target, { ...renamed, isDue: () => false });
    expect(result).toEqual({ account: target, changed: false });
    expect(operations()).toEqual([]);
  });

  test.each<[string, Partial<Account>]>([
    ['isactive', { isactive: false }],
    ['lockoutend', { lockoutend: FOREVER }],
    ['the number of changes', { transitions: 2 }],
  ])('is decided anew where %s has changed since it was read', async (_name, meanwhile) => {
    const stale = await account();
    const fresh = await setAttributes(table, stale, meanwhile);
    const seen: Account[] = [];
    const isDue = (before: Account) => seen.push(before) > 0;
    await transition(table, stale, { ...renamed, isDue });
    expect(seen).toEqual([stale, fresh]);
  });

  test.each<[string, Partial<Account>]>([
    ['roles', { roles: ['meanwhile'] }],
    ['last activity', { lastActivity: '2026-11-20T12:00:01.000' }],
  ])('without an event does not mind that the %s changed', async (_name, meanwhile) => {
    const stale = await account();
    await setAttributes(table, stale, meanwhile);
    wire.reset();
    await transition(table, stale, renamed);
    expect(operations()).toEqual(['TransactWriteItems']);
    expect(await stored(stale)).toMatchObject({ ...meanwhile, user_short: 'NEW' });
  });

  test('is counted', async () => {
    const target = await account();
    await transition(table, target, renamed);
    await transition(table, await stored(target), renamed);
    expect(await stored(target)).toMatchObject({ transitions: 2 });
  });

  test('waits for what it requires, and answers 503 where that does not come', async () => {
    const target = await account();
    const requires = { token_count: 7 };
    await expect(transition(table, target, { ...renamed, requires })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await stored(target)).not.toHaveProperty('transitions');
    await setAttributes(table, target, requires);
    expect(await transition(table, target, { ...renamed, requires })).toMatchObject({ changed: true });
  });

  test('writes what belongs to it by the account as it was, in the same transaction', async () => {
    const target = await account();
    const seen: Account[] = [];
    await transition(table, target, {
      ...renamed,
      others: (before) => {
        seen.push(before);
        return [{ Put: { Item: { ...teamKey('counted'), by: before.username } } }];
      },
    });
    expect(seen).toEqual([target]);
    expect(await get(table, teamKey('counted'))).toMatchObject({ by: target.username });
  });

  test.each([
    ['alone', renamed],
    ['with an event', { ...renamed, announcement }],
  ])('%s gets through, however often it meets other transactions', async (_name, change) => {
    const target = await account();
    let collisions = 0;
    wire.script((operation) =>
      operation === 'TransactWriteItems' && collisions++ < 40 ? COLLISION : undefined,
    );
    expect(await transition(table, target, change)).toMatchObject({ changed: true });
    expect(collisions).toBe(41);
  });

  test('gets through, however often what it says of the account is changed before it is written', async () => {
    const target = await account({ apps: ['core', 'crm'] });
    let changes = 0;
    wire.script(async (operation) => {
      if (operation === 'TransactWriteItems' && changes++ < 40)
        await setAttributes(table, target, { user_app_name: changes % 2 ? 'crm' : 'core' });
      return undefined;
    });
    expect(await transition(table, target, { ...renamed, announcement })).toMatchObject({ changed: true });
    expect(changes).toBe(41);
  });
});
