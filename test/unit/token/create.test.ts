import { describe, expect, test } from 'vitest';
import { type Account, FOREVER } from '#lib/item/account';
import { accountKey, tokenIndex, tokenKey, tokenNameKey, tokenNames } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { createLoginToken, createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import type { CreatedToken } from '#lib/token/record';
import { hashApiToken, isApiToken } from '#lib/token/secret';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, wire, clock, runtime, account, operations } = await openTestTable();
const AT_NOON = '2026-11-20T12:00:00.000';
const LOGIN = 'logintoken';

const hashOf = ({ value }: CreatedToken) => hashApiToken(value);
const itemOf = (token: CreatedToken) => get(table, tokenKey(hashOf(token)));
const countOf = async ({ username }: Account) => (await get(table, accountKey(username)))?.token_count;
const namesOf = async ({ username }: Account) =>
  (await query(table, tokenNames(username))).map(({ sha256 }) => sha256);
const create = (owner: Account, name = 'ci') => createToken(runtime, owner, name, by('admin'));

/** The first read of a name finds this, whatever stands in the table. */
const misread = (Item?: object) => {
  wire.script((operation) =>
    operation === 'GetItem' && operations().filter((each) => each === 'GetItem').length === 1
      ? { status: 200, body: Item ? { Item } : {} }
      : undefined,
  );
};

describe('a new token', () => {
  test('is answered with its secret, of which only the hash is stored', async () => {
    const ada = await account();
    clock.time = NOON + 7;
    const token = await create(ada);
    const at = '2026-11-20T12:00:00.007';
    expect(token).toEqual({
      username: ada.username,
      userid: ada.id,
      loginprovider: 'api',
      name: 'ci',
      value: token.value,
      token_created_at: at,
      token_used_at: at,
      token_created_by: 'admin',
    });
    expect(isApiToken(token.value)).toBe(true);
    const sha256 = hashOf(token);
    expect(await itemOf(token)).toEqual({
      ...tokenKey(sha256),
      ...tokenIndex(ada.username, 'ci'),
      username: ada.username,
      userid: ada.id,
      name: 'ci',
      token_created_at: at,
      token_created_by: 'admin',
    });
    expect(await get(table, tokenNameKey(ada.username, 'ci'))).toEqual({
      ...tokenNameKey(ada.username, 'ci'),
      sha256,
    });
    expect(await countOf(ada)).toBe(1);
  });

  test('has the randomness that it is handed', async () => {
    const random = (bytes: number) => new Uint8Array(bytes).fill(61);
    const { value } = await createToken({ ...runtime, random }, await account(), 'ci', by('admin'));
    expect(value).toBe(`cst_${'z'.repeat(30)}4IlJEz`);
  });

  test('may have a name that another account uses, or that differs in case', async () => {
    const [ada, bob] = [await account(), await account()];
    for (const [owner, name] of [
      [ada, 'ci'],
      [ada, 'CI'],
      [bob, 'ci'],
    ] as const)
      await create(owner, name);
    expect([await countOf(ada), await countOf(bob)]).toEqual([2, 1]);
  });

  test('is refused where the account has one of this name, which stays as it is', async () => {
    const ada = await account();
    const first = await create(ada);
    await expect(create(ada)).rejects.toMatchObject({ code: 'token_exists' });
    expect(await namesOf(ada)).toEqual([hashOf(first)]);
    expect(await itemOf(first)).toMatchObject({ name: 'ci' });
    expect(await countOf(ada)).toBe(1);
  });

  test('of a name is made once, however many ask for it at once', async () => {
    const ada = await account();
    const made = await Promise.allSettled(Array.from({ length: 4 }, () => create(ada)));
    const token = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(token).toHaveLength(1);
    for (const each of made)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'token_exists' });
    expect(await namesOf(ada)).toEqual(token.map(hashOf));
    expect(await countOf(ada)).toBe(1);
  });

  test('is the hundredth at most', async () => {
    const ada = await setAttributes(table, await account(), { token_count: 99 });
    await create(ada, 'hundredth');
    expect(await countOf(ada)).toBe(100);
    await expect(create(ada, 'more')).rejects.toMatchObject({ code: 'token_limit' });
    expect(await countOf(ada)).toBe(100);
    expect(await namesOf(ada)).toHaveLength(1);
    await deleteToken(runtime, ada, 'hundredth', by('admin'));
    await create(ada, 'more');
    expect(await countOf(ada)).toBe(100);
  });

  test('is refused where the account is cancelled, even with as many as it can have', async () => {
    for (const token_count of [0, 100]) {
      const ada = await setAttributes(table, await account(), { isactive: false, token_count });
      await expect(create(ada)).rejects.toMatchObject({ code: 'account_cancelled' });
      await expect(createLoginToken(runtime, ada, by(ada.username))).rejects.toMatchObject({
        code: 'account_cancelled',
      });
      expect([await countOf(ada), await namesOf(ada)]).toEqual([token_count, []]);
    }
  });

  test('can be made for an account that is locked, until it is unlocked', async () => {
    const ada = await setAttributes(table, await account(), { lockoutend: FOREVER });
    await create(ada);
    expect(await countOf(ada)).toBe(1);
  });
});

describe('a logintoken', () => {
  const renew = (owner: Account) => createLoginToken(runtime, owner, by(owner.username));

  test('is made by its owner', async () => {
    const ada = await account();
    const token = await renew(ada);
    expect(token).toMatchObject({
      username: ada.username,
      name: LOGIN,
      token_created_at: AT_NOON,
      token_created_by: ada.username,
    });
    expect(await itemOf(token)).toMatchObject({ name: LOGIN, token_created_by: ada.username });
    expect(await namesOf(ada)).toEqual([hashOf(token)]);
    expect(await countOf(ada)).toBe(1);
  });

  test('takes the place of the one before, which is no more', async () => {
    const ada = await account();
    const other = await create(ada);
    const first = await renew(ada);
    const second = await renew(ada);
    expect(second.value).not.toBe(first.value);
    expect(await itemOf(first)).toBeUndefined();
    expect(await itemOf(second)).toMatchObject({ name: LOGIN });
    expect(await namesOf(ada)).toEqual([hashOf(other), hashOf(second)]);
    expect(await countOf(ada)).toBe(2);
  });

  test('is one of a hundred: replaced at the limit, made below it', async () => {
    const ada = await setAttributes(table, await account(), { token_count: 99 });
    await renew(ada);
    await renew(ada);
    expect(await countOf(ada)).toBe(100);
    const bob = await setAttributes(table, await account(), { token_count: 100 });
    await expect(renew(bob)).rejects.toMatchObject({ code: 'token_limit' });
    expect([await countOf(bob), await namesOf(bob)]).toEqual([100, []]);
  });

  test('replaces one that was made since the name was read', async () => {
    const ada = await account();
    const first = await renew(ada);
    wire.reset();
    misread();
    const second = await renew(ada);
    expect(operations()).toEqual(['GetItem', 'TransactWriteItems', 'TransactWriteItems']);
    expect(await itemOf(first)).toBeUndefined();
    expect(await itemOf(second)).toMatchObject({ name: LOGIN });
    expect([await countOf(ada), await namesOf(ada)]).toEqual([1, [hashOf(second)]]);
  });

  test('is counted where the one before was deleted since the name was read', async () => {
    const ada = await account();
    misread({ sha256: { S: 'deleted' } });
    const token = await renew(ada);
    expect([await countOf(ada), await namesOf(ada)]).toEqual([1, [hashOf(token)]]);
  });

  test('is one, and the last, however many ask at once', async () => {
    const ada = await account();
    const made = await Promise.allSettled(Array.from({ length: 3 }, () => renew(ada)));
    const tokens = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const usable = await Promise.all(tokens.map(itemOf));
    expect(usable.filter((item) => item !== undefined)).toHaveLength(1);
    expect(await namesOf(ada)).toHaveLength(1);
    expect(await countOf(ada)).toBe(1);
  });
});
