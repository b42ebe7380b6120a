import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, expect, test } from 'vitest';
import type { Account } from '#lib/item/account';
import { assign } from '#lib/table/expressions';
import { cursorSecretKey, indexedTokens, tokenKey } from '#lib/table/keys';
import { query } from '#lib/table/read';
import { put, remove, update } from '#lib/table/write';
import { DAY_MS, withoutZone } from '#lib/time';
import { contract as browse } from '#lib/token/browse.contract';
import { createLoginToken, createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { browseTokens, listTokens } from '#lib/token/list';
import { type CreatedToken, type TokenRecord, tokenRecord } from '#lib/token/record';
import { hashApiToken } from '#lib/token/secret';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { errorsOf, fieldsAtFault } from '../support/errors-of.ts';
import { storedToken } from '../support/items.ts';
import { pagesOf } from '../support/pages.ts';

const { table, wire, runtime, account, operations } = await openTestTable();
const create = (owner: Account, name: string) => createToken(runtime, owner, name, by('admin'));
const listed = (token: CreatedToken) => ({ ...token, value: null });
const list = async (owner: Account) => (await listTokens(runtime, owner)).items;

/** Answers queries of the index with other items. */
const indexed = (change: (items: object[]) => object[]) => {
  wire.reset();
  wire.script((_operation, input) =>
    input['IndexName']
      ? { input, answer: (body) => ({ ...body, Items: change(body['Items'] as object[]) }) }
      : undefined,
  );
};

test('listTokens returns the tokens of an account by name, without secrets, in one round trip', async () => {
  const ada = await account();
  const bob = await account({ username: `${ada.username}-2` });
  const made: Record<string, CreatedToken> = {};
  for (const name of ['b', 'a', '10', '9', 'B', 'ab']) made[name] = await create(ada, name);
  await create(bob, 'c');
  wire.reset();
  expect(await listTokens(runtime, { ...ada, username: ada.username.toUpperCase() })).toEqual({
    items: ['10', '9', 'B', 'a', 'ab', 'b'].map((name) => listed(made[name] as CreatedToken)),
  });
  const reads = wire.commands.map(({ input }) => [input['IndexName'], input['ConsistentRead']]);
  expect(reads).toEqual([
    [undefined, true],
    ['GSI1', false],
  ]);
});

test.each([0, 2])(
  'listTokens reads what the index does not have yet when it has %i of three tokens',
  async (has) => {
    const ada = await account();
    const made = [await create(ada, 'a'), await create(ada, 'b'), await create(ada, 'c')];
    indexed((items) => items.slice(0, has));
    expect(await list(ada)).toEqual(made.map(listed));
    expect(operations()).toEqual(['Query', 'Query', 'BatchGetItem']);
    const requested = wire.commands[2]?.input['RequestItems'] as Record<string, object>;
    expect(Object.values(requested)).toMatchObject([{ ConsistentRead: true, Keys: { length: 3 - has } }]);
  },
);

test('listTokens omits tokens that are replaced or deleted in the index or between the two reads', async () => {
  const ada = await account();
  await createLoginToken(runtime, ada, by('ada'));
  await create(ada, 'gone');
  const before = await query(table, indexedTokens(ada.username));
  const kept = await createLoginToken(runtime, ada, by('ada'));
  await deleteToken(runtime, ada, 'gone', by('ada'));
  const { value } = await create(ada, 'named');
  await remove(table, tokenKey(hashApiToken(value)));
  expect(before).toHaveLength(2);
  expect(await list(ada)).toEqual([listed(kept)]);
  indexed(() => before.map((item) => marshall(item)));
  expect(await list(ada)).toEqual([listed(kept)]);
});

test('listTokens reads 100 tokens, with the times of their last use, for 7 units', async () => {
  const username = 'owner-of-a-hundred';
  const tokens = await Promise.all(
    Array.from({ length: 100 }, (_, n) => {
      const token_used_at = withoutZone(NOON + n);
      return storedToken(table, { username, userid: 'x'.repeat(36), name: `n-${n + 100}`, token_used_at });
    }),
  );
  wire.reset();
  expect((await listTokens(runtime, { username, names_apart: true })).items).toEqual(tokens.map(tokenRecord));
  expect(wire.commands.map(({ operation, units }) => [operation, units])).toEqual([
    ['Query', 3],
    ['Query', 4],
  ]);
});

const all: TokenRecord[] = [];
beforeAll(async () => {
  await put(table, cursorSecretKey, { secret: 'secret' });
  for (const username of ['browse-c', 'browse-B', 'browse-a'])
    for (const name of ['two', 'one']) all.unshift(tokenRecord(await storedToken(table, { username, name })));
});

test.each([undefined, 4])(
  'browseTokens returns all tokens by owner, then name, on pages of %j',
  async (limit) => {
    const pages = await pagesOf((cursor) => browseTokens(runtime, { limit, cursor }));
    for (const { items } of pages) expect(items.length).toBeLessThanOrEqual(limit ?? 1000);
    expect(
      pages.flatMap(({ items }) => items).filter(({ username }) => username.startsWith('browse')),
    ).toEqual(all);
  },
);

test('browseTokens returns the tokens that an account or operator created, and examines a limited number a page', async () => {
  const ada = await account();
  const made = [];
  for (const [name, creator] of [
    ['a', 'Maker'],
    ['b', 'other'],
    ['c', 'maker'],
    ['d', 'maker-2'],
  ] as const)
    made.push(listed(await createToken(runtime, ada, name, by(creator))));
  const request = { created_by: 'MAKER' };
  expect(await browseTokens(runtime, request)).toEqual({ items: [made[0], made[2]] });
  const pages = await pagesOf((cursor) =>
    browseTokens(runtime, { created_by: cursor ? 'maker' : 'MAKER', cursor }, 2),
  );
  for (const { items } of pages) expect(items.length).toBeLessThanOrEqual(2);
  expect(pages.flatMap(({ items }) => items)).toEqual([made[0], made[2]]);
  const elsewhere = browseTokens(runtime, { created_by: 'other', cursor: pages[0]?.next_cursor });
  await expect(elsewhere).rejects.toMatchObject({ code: 'invalid_request' });
  expect(errorsOf(browse.query(), { created_by: 'operator:root', limit: '2' })).toEqual([]);
  for (const created_by of ['', 'x'.repeat(257)])
    expect(fieldsAtFault(browse.query(), { created_by })).toEqual(['created_by']);
});

test('browseTokens returns the tokens that were not used since a time when they have unused_since', async () => {
  const ada = await account();
  const at = (now: number) => ({ ...runtime, now: () => now });
  const [old, used, recent] = [
    await createToken(at(NOON - 2 * DAY_MS), ada, 'old', by('unused')),
    await createToken(at(NOON - 2 * DAY_MS), ada, 'used', by('unused')),
    await createToken(at(NOON - 1), ada, 'recent', by('unused')),
  ];
  await update(table, {
    Key: tokenKey(hashApiToken(used.value)),
    ...assign({ token_used_at: withoutZone(NOON - DAY_MS) }, {}),
  });
  const unused = async (unused_since: number) =>
    (await browseTokens(runtime, { created_by: 'unused', unused_since })).items.map(({ name }) => name);
  expect(await unused(NOON - 2 * DAY_MS)).toEqual([]);
  expect(await unused(NOON - DAY_MS)).toEqual([old.name]);
  expect(await unused(NOON - DAY_MS + 1)).toEqual([old.name, used.name]);
  expect(await unused(NOON)).toEqual([old.name, recent.name, used.name]);
  const [first] = await pagesOf((cursor) => browseTokens(runtime, { unused_since: NOON, cursor }, 1));
  const elsewhere = browseTokens(runtime, { unused_since: NOON - 1, cursor: first?.next_cursor });
  await expect(elsewhere).rejects.toMatchObject({ code: 'invalid_request' });
  expect(errorsOf(browse.query(), { unused_since: '2026-08-29' })).toEqual([]);
  expect(fieldsAtFault(browse.query(), { unused_since: 'never' })).toEqual(['unused_since']);
});
