import { beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '#lib/item/account';
import { cursorSecretKey, tokenKey } from '#lib/table/keys';
import { put, remove, update } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { browseTokens, listTokens } from '#lib/token/list';
import { type CreatedToken, type TokenRecord, tokenRecordSchema } from '#lib/token/record';
import { hashApiToken } from '#lib/token/secret';
import { by, openTestTable } from '../engine.ts';

const { table, wire, runtime, account, operations } = await openTestTable();
const create = (owner: Account, name: string) => createToken(runtime, owner, name, by('admin'));
const listed = (token: CreatedToken) => ({ ...token, value: null });

describe('the tokens of an account are listed', () => {
  test('by name, without their secrets, and no others', async () => {
    const ada = await account();
    const bob = await account({ username: `${ada.username}-2` });
    const made: Record<string, CreatedToken> = {};
    for (const name of ['b', 'a', '10', '9', 'B', 'ab']) made[name] = await create(ada, name);
    await create(bob, 'c');
    expect(await listTokens(table, ada.username.toUpperCase())).toEqual({
      items: ['10', '9', 'B', 'a', 'ab', 'b'].map((name) => listed(made[name] as CreatedToken)),
    });
  });

  test('as none where there are none, in one read', async () => {
    const { username } = await account();
    wire.reset();
    expect(await listTokens(table, username)).toEqual({ items: [] });
    expect(operations()).toEqual(['Query']);
  });

  test('as they stand at this moment', async () => {
    const ada = await account();
    await create(ada, 'ci');
    const reads: unknown[] = [];
    wire.script((_operation, input) => {
      const [batch] = Object.values((input['RequestItems'] ?? {}) as Record<string, object>);
      reads.push((batch ?? input) as object);
      return undefined;
    });
    await listTokens(table, ada.username);
    expect(reads).toMatchObject([{ ConsistentRead: true }, { ConsistentRead: true }]);
  });

  test('with the time of their last use', async () => {
    const ada = await account();
    const token = await create(ada, 'ci');
    await update(table, {
      Key: tokenKey(hashApiToken(token.value)),
      UpdateExpression: 'SET token_used_at = :at',
      ExpressionAttributeValues: { ':at': '2026-11-21T00:00:00.000' },
    });
    const { items } = await listTokens(table, ada.username);
    expect(items).toEqual([{ ...listed(token), token_used_at: '2026-11-21T00:00:00.000' }]);
    expect(items.map((item) => tokenRecordSchema().safeParse(item).success)).toEqual([true]);
  });

  test('but for those that are deleted in between', async () => {
    const ada = await account();
    const [gone, kept] = [await create(ada, 'a'), await create(ada, 'b')];
    await remove(table, tokenKey(hashApiToken(gone.value)));
    expect(await listTokens(table, ada.username)).toEqual({ items: [listed(kept)] });
  });
});

describe('the tokens of all accounts are listed', () => {
  const all: CreatedToken[] = [];
  beforeAll(async () => {
    await put(table, cursorSecretKey, { secret: 'secret' });
    for (const username of ['!-c', '!-B', '!-a'].map((name) => name.replace('!', 'browse'))) {
      const owner = await account({ username });
      for (const name of ['two', 'one']) all.unshift(await create(owner, name));
    }
  });
  const own = (items: readonly TokenRecord[]) =>
    items.filter(({ username }) => username.startsWith('browse'));

  test('by owner in any case, then by name, without their secrets', async () => {
    const { items, next_cursor } = await browseTokens(table, {});
    expect(own(items)).toEqual(all.map(listed));
    expect(next_cursor).toBeUndefined();
  });

  test('in pages without a gap or a repeat', async () => {
    const seen: TokenRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = await browseTokens(table, { limit: 4, cursor });
      expect(page.items.length).toBeLessThanOrEqual(4);
      seen.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(own(seen)).toEqual(all.map(listed));
  });
});
