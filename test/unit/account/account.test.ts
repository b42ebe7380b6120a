import { describe, expect, test } from 'vitest';
import {
  isLocked,
  isLockedForGood,
  lastActive,
  MAX_APPS,
  MAX_ROLES,
  MAX_TEAMS,
  MAY_AUTHENTICATE,
  mayAuthenticate,
  readAccount,
  readAccounts,
  sameUsername,
} from '#lib/account/account';
import type { Account } from '#lib/item/account';
import { accountKey } from '#lib/table/keys';
import { ConditionFailed, update } from '#lib/table/write';
import { NOON, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, account, operations, wire } = await openTestTable();

const FOREVER = '9999-12-31T23:59:59+00:00';
const state = (part: Partial<Account>) => ({ isactive: true, ...part }) as Account;

test('an account has at most 100 teams, roles and applications', () => {
  expect([MAX_TEAMS, MAX_ROLES, MAX_APPS]).toEqual([100, 100, 100]);
});

describe('the state of an account', () => {
  test.each<[string, Partial<Account>, boolean, boolean, boolean]>([
    ['without a lockout', {}, false, false, true],
    ['locked for good', { lockoutend: FOREVER }, true, true, false],
    ['locked for a second more', { lockoutend: '2026-11-20T12:00:01.000+00:00' }, true, false, true],
    ['locked for a millisecond more', { lockoutend: '2026-11-20T12:00:00.001+00:00' }, true, false, true],
    ['whose lockout ends now', { lockoutend: '2026-11-20T12:00:00.000+00:00' }, false, false, true],
    ['whose lockout has ended', { lockoutend: '2026-11-20T11:59:59.999+00:00' }, false, false, true],
    ['that is cancelled', { isactive: false }, false, false, false],
    ['that is cancelled and locked for good', { isactive: false, lockoutend: FOREVER }, true, true, false],
  ])('%s', async (_what, part, locked, forGood, authenticates) => {
    expect(isLocked(state(part), NOON)).toBe(locked);
    expect(isLockedForGood(state(part))).toBe(forGood);
    expect(mayAuthenticate(state(part))).toBe(authenticates);

    const stored = await setAttributes(table, await account(), state(part));
    const result = await update(table, {
      Key: accountKey(stored.username),
      UpdateExpression: 'SET seen = :true',
      ConditionExpression: MAY_AUTHENTICATE.condition,
      ExpressionAttributeValues: { ...MAY_AUTHENTICATE.values, ':true': true },
    });
    expect(result instanceof ConditionFailed, 'the condition says the same').toBe(!authenticates);
  });
});

test('the last activity is in UTC', () => {
  expect(lastActive(state({ lastActivity: '2026-11-20T12:00:00.000' }))).toBe(NOON);
});

test('usernames are the same in any case of ASCII', () => {
  expect(sameUsername('Ada', 'aDA')).toBe(true);
  expect(sameUsername('Ada', 'Adam')).toBe(false);
  expect(sameUsername('k', '\u212a')).toBe(false);
});

describe('reading', () => {
  test('finds an account in any case, or nothing', async () => {
    const { username, id } = await account({ username: 'Read.Me' });
    expect(await readAccount(table, 'READ.me')).toMatchObject({ username, id });
    expect(await readAccount(table, 'nobody')).toBeUndefined();
  });

  test('one account is one GetItem', async () => {
    const { username, id } = await account();
    wire.reset();
    expect(await readAccounts(table, [username])).toMatchObject([{ id }]);
    expect(operations()).toEqual(['GetItem']);
  });

  test('several are one BatchGetItem, in the order of their names, with gaps for those that are not', async () => {
    const [one, two] = [await account(), await account()];
    wire.reset();
    const found = await readAccounts(table, [two.username, 'nobody', one.username.toUpperCase()]);
    expect(found.map((each) => each?.id)).toEqual([two.id, undefined, one.id]);
    expect(operations()).toEqual(['BatchGetItem']);
  });
});
