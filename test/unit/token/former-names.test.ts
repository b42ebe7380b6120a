import { beforeEach, expect, test } from 'vitest';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import type { Account } from '#lib/item/account';
import { formerTokenNameKey, type Key, tokenKey, tokenNameKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { listTokens } from '#lib/token/list';
import { hashApiToken } from '#lib/token/secret';
import { by, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, wire, runtime, account, stored, operations } = await openTestTable();
const root = by('root');

/** An account of an earlier version, with tokens `a` and `c` whose names are in its partition. */
let ada: Account;
beforeEach(async () => {
  const created = await account();
  for (const name of ['a', 'c']) {
    const { value } = await createToken(runtime, created, name, root);
    await remove(table, tokenNameKey(created.username, name));
    await put(table, formerTokenNameKey(created.username, name), { sha256: hashApiToken(value) });
  }
  ada = await setAttributes(table, created, { names_apart: undefined } as object);
  wire.reset();
});

const names = async () => (await listTokens(runtime, ada)).items.map(({ name }) => name);
const former = (name: string) => get(table, formerTokenNameKey(ada.username, name));

test('listTokens finds names in both places, in one round trip', async () => {
  await createToken(runtime, ada, 'b', root);
  wire.reset();
  expect(await names()).toEqual(['a', 'b', 'c']);
  expect(operations()).toEqual(['Query', 'Query', 'Query']);
});

test('createToken refuses a former name, without a further round trip', async () => {
  await expect(createToken(runtime, ada, 'a', root)).rejects.toMatchObject({ code: 'token_exists' });
  expect(operations()).toEqual(['TransactWriteItems']);
  expect((await stored(ada)).token_count).toBe(2);
});

test('deleteToken frees a former name, which a new token can have', async () => {
  const key: Key = formerTokenNameKey(ada.username, 'a');
  const before = await former('a');
  await deleteToken(runtime, ada, 'a', root);
  expect(await former('a')).toEqual(key);
  expect(await get(table, tokenKey(before?.sha256 ?? ''))).toBeUndefined();
  await expect(deleteToken(runtime, ada, 'a', root)).rejects.toMatchObject({ code: 'token_not_found' });
  await createToken(runtime, ada, 'a', root);
  await expect(createToken(runtime, ada, 'a', root)).rejects.toMatchObject({ code: 'token_exists' });
  expect(await names()).toEqual(['a', 'c']);
  expect((await stored(ada)).token_count).toBe(2);
});

test('reactivateAccount revokes tokens with former names', async () => {
  await createToken(runtime, ada, 'b', root);
  await cancelAccount(runtime, await stored(ada), root);
  const answer = await reactivateAccount(runtime, await stored(ada), root, { revoke_tokens: true });
  expect(answer).toMatchObject({ tokens_revoked: 3, tokens_revived: 0 });
  expect(await names()).toEqual([]);
});
