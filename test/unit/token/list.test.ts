import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '#lib/item/account';
import { cursorSecretKey, indexedTokens, tokenIndex, tokenKey, tokenNameKey } from '#lib/table/keys';
import { query } from '#lib/table/read';
import { put, remove, update } from '#lib/table/write';
import { createLoginToken, createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { browseTokens, listTokens } from '#lib/token/list';
import { type CreatedToken, type TokenRecord, tokenRecordSchema } from '#lib/token/record';
import { hashApiToken } from '#lib/token/secret';
import { by, openTestTable } from '../support/engine.ts';
import { inputsOver } from '../table/inputs.ts';

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

  test('as none where there are none, in one round', async () => {
    const { username } = await account();
    wire.reset();
    expect(await listTokens(table, username)).toEqual({ items: [] });
    expect(operations()).toEqual(['Query', 'Query']);
  });

  test('as they stand at this moment', async () => {
    const ada = await account();
    await create(ada, 'ci');
    const queries = inputsOver(wire);
    await listTokens(table, ada.username);
    expect(
      queries.map(({ IndexName: index, ConsistentRead: isConsistent }) => ({ index, isConsistent })),
    ).toEqual([
      { index: undefined, isConsistent: true },
      { index: 'GSI1', isConsistent: false },
    ]);
  });

  test.each<[string, number]>([
    ['none', 0],
    ['some', 2],
  ])('as they stand at this moment where the index has %s of them', async (_, has) => {
    const ada = await account();
    const made: CreatedToken[] = [];
    for (const name of ['a', 'b', 'c']) made.push(await create(ada, name));
    wire.script((_operation, input) =>
      input['IndexName']
        ? { input, answer: (body) => ({ ...body, Items: (body['Items'] as object[]).slice(0, has) }) }
        : undefined,
    );
    wire.commands.length = 0;
    expect(await listTokens(table, ada.username)).toEqual({ items: made.map(listed) });
    expect(operations()).toEqual(['Query', 'Query', 'BatchGetItem']);
    const [batch] = Object.values(
      wire.commands[2]?.input['RequestItems'] as Record<string, { Keys: object[] }>,
    );
    expect(batch).toMatchObject({ ConsistentRead: true, Keys: { length: made.length - has } });
  });

  test('and not those that the index still has: replaced or deleted', async () => {
    const ada = await account();
    const [first, gone] = [await createLoginToken(runtime, ada, by('ada')), await create(ada, 'gone')];
    const before = await query(table, indexedTokens(ada.username));
    const second = await createLoginToken(runtime, ada, by('ada'));
    await deleteToken(runtime, ada, 'gone', by('ada'));
    expect(before.map(({ PK }) => PK).sort()).toEqual(
      [first, gone].map(({ value }) => tokenKey(hashApiToken(value)).PK).sort(),
    );
    wire.script((_operation, input) =>
      input['IndexName']
        ? { input, answer: (body) => ({ ...body, Items: before.map((item) => marshall(item)) }) }
        : undefined,
    );
    expect(await listTokens(table, ada.username)).toEqual({ items: [listed(second)] });
  });

  test('100 of them for 7 units, where reading each took 103', async () => {
    const ada = await account({ username: 'owner-of-a-hundred' });
    const { value: _, ...record } = await create(ada, 'name-00');
    await Promise.all(
      Array.from({ length: 99 }, async (_, n) => {
        const name = `name-${String(n + 1).padStart(2, '0')}`;
        const sha256 = hashApiToken(name);
        const { username, userid, token_created_at, token_created_by } = record as TokenRecord & {
          userid: string;
        };
        const item = {
          username,
          userid,
          name,
          token_created_at,
          token_created_by,
          token_used_at: token_created_at,
        };
        await put(table, tokenNameKey(username, name), { sha256 });
        await put<unknown>(table, tokenKey(sha256), { ...tokenIndex(username, name), ...item });
      }),
    );
    wire.reset();
    expect((await listTokens(table, ada.username)).items).toHaveLength(100);
    expect(wire.commands.map(({ operation, units }) => [operation, units])).toEqual([
      ['Query', 3],
      ['Query', 4],
    ]);
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
