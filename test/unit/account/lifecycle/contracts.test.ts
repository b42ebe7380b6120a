import { describe, expect, test } from 'vitest';
import { cancel, lock, reactivate, unlock } from '#lib/account/contracts';
import { changedItem } from '#lib/account/directory/item';
import { NOON, openTestTable } from '../../support/engine.ts';
import { errorsOf } from '../../support/errors-of.ts';

const { account } = await openTestTable();
const contracts = [cancel, lock, unlock].map((contract) => [contract.id, contract] as const);

describe.each(contracts)('%s', (_id, contract) => {
  test('takes a username', () => {
    expect(errorsOf(contract.params(), { username: 'ada' })).toEqual([]);
    expect(errorsOf(contract.params(), { username: 'a b' })).toMatchObject([{ field: 'username' }]);
    expect(errorsOf(contract.params(), {})).toEqual([{ field: 'username', message: 'Is required' }]);
  });

  test('answers the directory item and whether it changed', async () => {
    const item = changedItem({ account: await account(), changed: true }, NOON);
    const { changed: _, ...unchanged } = item;
    expect(errorsOf(contract.response(), item)).toEqual([]);
    expect(errorsOf(contract.response(), unchanged)).toEqual([{ field: 'changed', message: 'Is required' }]);
    expect(errorsOf(contract.response(), { ...item, more: 1 })).toMatchObject([{ field: 'more' }]);
  });
});

describe('account.reactivate', () => {
  test('takes a username, and what becomes of the tokens', () => {
    expect(errorsOf(reactivate.params(), { username: 'ada' })).toEqual([]);
    expect(errorsOf(reactivate.params(), { username: 'a b' })).toMatchObject([{ field: 'username' }]);
    for (const revoke_tokens of [true, false])
      expect(errorsOf(reactivate.body(), { revoke_tokens })).toEqual([]);
    expect(errorsOf(reactivate.body(), {})).toEqual([]);
    expect(errorsOf(reactivate.body(), { revoke_tokens: 'true' })).toMatchObject([
      { field: 'revoke_tokens' },
    ]);
    expect(errorsOf(reactivate.body(), { revoke: true })).toMatchObject([{ field: 'revoke' }]);
  });

  test('answers the directory item, and what became of the tokens', async () => {
    const item = changedItem({ account: await account(), changed: true }, NOON);
    const answer = { ...item, tokens_revived: 1, tokens_revoked: 0 };
    expect(errorsOf(reactivate.response(), answer)).toEqual([]);
    expect(errorsOf(reactivate.response(), item)).toMatchObject([
      { field: 'tokens_revived' },
      { field: 'tokens_revoked' },
    ]);
  });
});
