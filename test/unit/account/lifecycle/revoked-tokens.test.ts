import { expect, test } from 'vitest';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { MAX_TOKENS } from '#lib/account/tokens/count';
import type { Account } from '#lib/item/account';
import { putAll } from '#lib/table/bulk';
import { tokenNameKey } from '#lib/table/keys';
import { createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { listTokens } from '#lib/token/list';
import { DOWN } from '../../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../../support/engine.ts';
import { setAttributes } from '../../support/set-attributes.ts';
import { shortestWaits } from '../../support/shortest-waits.ts';

const { table, runtime, account, stored, operations, wire } = await openTestTable();
const root = by('Root');
const reactivate = (target: Account) => reactivateAccount(runtime, target, root, { revoke_tokens: true });

shortestWaits();

/** A cancelled account with API tokens. */
async function cancelled(tokens: number): Promise<Account> {
  const target = await account();
  for (let n = 0; n < tokens; n++) await createToken(runtime, target, `t${n}`, root);
  const result = await setAttributes(table, target, { isactive: false });
  wire.reset();
  return result;
}

test.each([0, MAX_TOKENS])('reactivateAccount ends all %i tokens', async (tokens) => {
  const target = await cancelled(tokens);
  const expected = { changed: true, tokens_revived: 0, tokens_revoked: tokens };
  expect(await reactivate(target)).toMatchObject(expected);
  expect(await stored(target)).toMatchObject({ isactive: true, token_count: 0 });
  expect(await listTokens(runtime, target)).toEqual({ items: [] });
});

test('reactivateAccount deletes more expired names than retries would reach', async () => {
  const target = await cancelled(1);
  const names = Array.from({ length: 300 }, (_, n) => tokenNameKey(target.username, `old${n}`));
  await putAll(
    table,
    names.map((key, n) => ({ ...key, sha256: `${n}`, expires_at: 1 })),
  );
  expect(await reactivate(target)).toMatchObject({ changed: true, tokens_revived: 0, tokens_revoked: 1 });
});

test('reactivateAccount forgets the count and the ends of tokens that no longer exist', async () => {
  const target = await cancelled(1);
  const stale = await setAttributes(table, target, { token_count: 3, token_ends: [NOON + 1, NOON - 1] });
  expect(await reactivate(stale)).toMatchObject({ changed: true, tokens_revived: 0, tokens_revoked: 2 });
  const { token_count, token_ends } = await stored(target);
  expect([token_count, token_ends]).toEqual([0, undefined]);
});

test('reactivateAccount deletes no token of an active account', async () => {
  const target = await account({ token_count: 1 });
  wire.reset();
  expect(await reactivate(target)).toMatchObject({ changed: false, tokens_revived: 0, tokens_revoked: 0 });
  expect(operations()).toEqual([]);
});

test('reactivateAccount ends tokens although their items cannot be removed', async () => {
  const target = await cancelled(33);
  wire.script((operation) => (operation === 'DeleteItem' ? DOWN : undefined));
  expect(await reactivate(target)).toMatchObject({ changed: true, tokens_revoked: 33 });
  wire.reset();
  expect(await stored(target)).toMatchObject({ isactive: true, token_count: 0 });
  expect(await listTokens(runtime, await stored(target))).toEqual({ items: [] });
});

test('reactivateAccount does not count a token that another caller deletes meanwhile', async () => {
  const target = await cancelled(3);
  wire.before('TransactWriteItems', () => deleteToken(runtime, target, 't1', root));
  expect(await reactivate(target)).toMatchObject({ tokens_revived: 0, tokens_revoked: 2 });
  expect(await stored(target)).toMatchObject({ token_count: 0 });
});

test('reactivateAccount ends no token when another caller has reactivated the account', async () => {
  const target = await cancelled(3);
  wire.before('TransactWriteItems', () => setAttributes(table, target, { isactive: true }));
  expect(await reactivate(target)).toMatchObject({ changed: false, tokens_revived: 0, tokens_revoked: 0 });
  expect(await stored(target)).toMatchObject({ isactive: true, token_count: 3 });
  expect((await listTokens(runtime, await stored(target))).items).toHaveLength(3);
});
