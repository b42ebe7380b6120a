import { describe, expect, test } from 'vitest';
import { resetStamp } from '#lib/account/reset-stamp';
import type { Account } from '#lib/item/account';
import { verifyPassword } from '#lib/password/hash';
import { setPassword } from '#lib/password/set-password';
import { accountKey, passwordKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { ConditionFailed, remove } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';

const { table, runtime, account, operations, wire } = await openTestTable();

const STAMP = '00000000-0000-7000-8000-00000000000a';
const stamping = { ...runtime, uuid: () => STAMP };
const hashOf = async (username: string) => (await get(table, passwordKey(username)))?.hash;

describe('setting a password', () => {
  test('replaces the one before, and ends the sessions', async () => {
    const before = await account({ password: 'correct horse' });
    await setPassword(stamping, before, 'battery staple');
    const hash = await hashOf(before.username);
    expect(hash).toMatch(/^\$2b\$10\$/);
    expect(await verifyPassword('battery staple', hash, 10)).toBe(true);
    expect(await verifyPassword('correct horse', hash, 10)).toBe(false);
    expect(await get(table, accountKey(before.username))).toMatchObject({ ...before, stamp: STAMP });
  });

  test('gives one to an account that has none, and its item holds nothing else', async () => {
    const before = await account({ username: 'With.Case' });
    await setPassword(runtime, before, 'battery staple');
    expect(await get(table, passwordKey('with.case'))).toEqual({
      PK: 'PASSWORD#with.case',
      SK: 'PASSWORD',
      hash: expect.stringMatching(/^\$2b\$10\$.{53}$/),
    });
  });

  test('makes the hash with the cost that is set', async () => {
    const before = await account();
    await setPassword(
      { ...runtime, settings: { ...runtime.settings, BcryptCost: 11 } },
      before,
      'battery staple',
    );
    expect(await hashOf(before.username)).toMatch(/^\$2b\$11\$/);
  });

  test('of an account that is gone brings back neither it nor its password', async () => {
    const gone = await account({ password: 'correct horse' });
    await remove(table, accountKey(gone.username));
    await remove(table, passwordKey(gone.username));
    await expect(setPassword(runtime, gone, 'battery staple')).rejects.toMatchObject({
      code: 'account_not_found',
    });
    expect(await get(table, accountKey(gone.username))).toBeUndefined();
    expect(await hashOf(gone.username)).toBeUndefined();
  });

  test('of an account that is gone does not give it to another of its name', async () => {
    const gone = await account();
    await remove(table, accountKey(gone.username));
    const other = await account({ username: gone.username });
    await expect(setPassword(runtime, gone, 'battery staple')).rejects.toMatchObject({
      code: 'account_not_found',
    });
    expect(await hashOf(gone.username)).toBeUndefined();
    expect(await get(table, accountKey(gone.username))).toMatchObject({ id: other.id, stamp: other.stamp });
  });

  test.each<[string, (username: string) => string]>([
    ['what is too short', () => '1234567'],
    ['the username in another case', (username) => username.toUpperCase()],
  ])('refuses %s, and changes nothing', async (_what, passwordOf) => {
    const before = await account();
    const password = passwordOf(before.username);
    wire.reset();
    await expect(setPassword(runtime, before, password)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'password' }],
    });
    expect(operations()).toEqual([]);
  });
});

describe('a reset of the stamp', () => {
  test('changes the stamp and nothing else', async () => {
    const before = await account();
    const { stamp: _, ...rest } = (await get(table, accountKey(before.username))) as Account;
    await resetStamp(stamping, before);
    expect(await get(table, accountKey(before.username))).toEqual({ ...rest, stamp: STAMP });
  });

  test('makes no account of one that is gone', async () => {
    const gone = await account();
    await remove(table, accountKey(gone.username));
    expect(await resetStamp(runtime, gone)).toBeInstanceOf(ConditionFailed);
    expect(await get(table, accountKey(gone.username))).toBeUndefined();
  });
});
