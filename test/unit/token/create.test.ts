import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { MAX_TOKENS } from '#lib/account/tokens/count';
import { type Account, FOREVER } from '#lib/item/account';
import { asStored } from '#lib/item/token';
import { tokenIndex, tokenKey, tokenNameKey, tokenNames } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { createLoginToken, createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { type CreatedToken, createdToken, LOGIN_TOKEN } from '#lib/token/record';
import { hashApiToken } from '#lib/token/secret';
import { by, openTestTable } from '../support/engine.ts';
import { accountItem, tokenItem } from '../support/items.ts';

const { table, wire, runtime, account, stored, operations } = await openTestTable({
  Events: 'token_create,token_delete',
});

const admin = by('admin');
const hashOf = ({ value }: CreatedToken) => hashApiToken(value);
const itemOf = (token: CreatedToken) => get(table, tokenKey(hashOf(token)));
const create = (owner: Account, name = 'ci') => createToken(runtime, owner, name, admin);
const renew = (owner: Account) => createLoginToken(runtime, owner, by(owner.username));
const remove = (owner: Account, name = 'ci') => deleteToken(runtime, owner, name, admin);

/** Checks that an account has exactly these tokens, under their names, and counts so many. */
async function expectTokens(owner: Account, tokens: readonly CreatedToken[], count = tokens.length) {
  const names = await query(table, tokenNames(owner.username));
  expect(names.map(({ sha256 }) => sha256).sort()).toEqual(tokens.map(hashOf).sort());
  for (const token of tokens) expect(await itemOf(token)).toMatchObject({ name: token.name });
  expect((await stored(owner)).token_count).toBe(count);
}

/** Answers the first read of a name with this item instead of that of the table. */
const misread = (token?: CreatedToken) => {
  wire.reset();
  const Item = token && marshall({ ...tokenNameKey(token.username, token.name), sha256: hashOf(token) });
  const body = token ? { Item } : {};
  wire.script((operation) =>
    operation === 'GetItem' && operations().filter((each) => each === 'GetItem').length === 1
      ? { status: 200, body }
      : undefined,
  );
};

test('createToken returns the secret and stores only its hash', async () => {
  const ada = await account();
  const random = (bytes: number) => new Uint8Array(bytes).fill(61);
  const token = await createToken({ ...runtime, random }, ada, 'ci', admin);
  const item = tokenItem({ username: ada.username, userid: ada.id, last4: 'lJEz' });
  expect(token).toEqual(createdToken(item, `cst_${'z'.repeat(30)}4IlJEz`));
  const sha256 = hashOf(token);
  const index = tokenIndex(ada.username, 'ci');
  expect(await itemOf(token)).toEqual({ ...tokenKey(sha256), ...index, ...asStored(item) });
  const key = tokenNameKey(ada.username, 'ci');
  expect(await get(table, key)).toEqual({ ...key, sha256 });
  await expectTokens(ada, [token]);
});

test('createToken accepts a name in another case, of another account, and of a locked account', async () => {
  const [ada, bob] = [await account(), await account({ lockoutend: FOREVER })];
  await expectTokens(ada, [await create(ada, 'ci'), await create(ada, 'CI')]);
  await expectTokens(bob, [await create(bob, 'ci')]);
});

test('createToken refuses an account that the table does not have', async () => {
  await expect(create(accountItem())).rejects.toMatchObject({ code: 'account_cancelled' });
});

test('createLoginToken creates the token of its owner and replaces the one before', async () => {
  const ada = await account();
  const [other, first, second] = [await create(ada), await renew(ada), await renew(ada)];
  expect(second).toMatchObject({ name: LOGIN_TOKEN, token_created_by: ada.username });
  expect(second.value).not.toBe(first.value);
  expect(await itemOf(first)).toBeUndefined();
  await expectTokens(ada, [other, second]);
});

test('createLoginToken replaces a token that was created since the name was read', async () => {
  const ada = await account();
  const first = await renew(ada);
  const renewed = await stored(ada);
  misread();
  const second = await renew(renewed);
  expect(operations()).toEqual(['GetItem', 'TransactWriteItems', 'TransactWriteItems', 'DeleteItem']);
  expect(await itemOf(first)).toBeUndefined();
  await expectTokens(ada, [second]);
});

test('createLoginToken counts a token when the one before was deleted since the name was read', async () => {
  const ada = await account();
  const first = await renew(ada);
  await remove(ada, LOGIN_TOKEN);
  misread(first);
  await expectTokens(ada, [await renew(ada)]);
});

test('createLoginToken leaves one token when three callers request it at once', async () => {
  const ada = await account();
  const results = await Promise.allSettled([1, 2, 3].map(() => renew(ada)));
  const tokens = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const items = await Promise.all(tokens.map(itemOf));
  const left = tokens.filter((_, index) => items[index] !== undefined);
  await expectTokens(ada, left, 1);
});

test('an account has at most 100 tokens: a deletion makes room, and a login token can be replaced', async () => {
  expect(MAX_TOKENS).toBe(100);
  const ada = await account({ token_count: MAX_TOKENS - 1 });
  const last = await create(ada, 'last');
  for (const request of [renew, create])
    await expect(request(ada)).rejects.toMatchObject({ code: 'token_limit' });
  await expectTokens(ada, [last], MAX_TOKENS);
  await remove(ada, 'last');
  await expectTokens(ada, [await renew(ada)], MAX_TOKENS);
  await expectTokens(ada, [await renew(ada)], MAX_TOKENS);
});

test.each([0, MAX_TOKENS])(
  'the limit of tokens is not reported for a cancelled account with %i tokens',
  async (token_count) => {
    const ada = await account({ isactive: false, token_count });
    for (const request of [create, renew])
      await expect(request(ada)).rejects.toMatchObject({ code: 'account_cancelled' });
    await expectTokens(ada, [], token_count);
  },
);

test('deleteToken deletes the token that has taken the name since it was read', async () => {
  const ada = await account();
  const [first, second] = [await renew(ada), await renew(ada)];
  misread(first);
  await remove(ada, LOGIN_TOKEN);
  const removals = ['DeleteItem', 'DeleteItem'];
  expect(operations()).toEqual(['GetItem', 'TransactWriteItems', 'TransactWriteItems', ...removals]);
  expect(await itemOf(second)).toBeUndefined();
  await expectTokens(ada, []);
});

test('deleteToken refuses an unknown name, also one of another account or just deleted', async () => {
  const [ada, bob] = [await account(), await account()];
  const [token, gone, kept] = [await create(bob), await create(bob, 'gone'), await create(bob, 'kept')];
  wire.reset();
  for (const request of [() => remove(ada), () => remove(bob, 'CI')])
    await expect(request()).rejects.toMatchObject({ code: 'token_not_found' });
  expect(operations()).toEqual(['GetItem', 'GetItem']);
  await remove(bob, 'gone');
  misread(gone);
  await expect(remove(bob, 'gone')).rejects.toMatchObject({ code: 'token_not_found' });
  await expectTokens(bob, [token, kept]);
});
