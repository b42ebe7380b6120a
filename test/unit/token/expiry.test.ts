import { expect, test } from 'vitest';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { MAX_TOKENS } from '#lib/account/tokens/count';
import { inParallel } from '#lib/async/in-parallel';
import { type Account, liveTokens } from '#lib/item/account';
import { type Key, tokenKey, tokenNameKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { createLoginToken, createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { browseTokens, listTokens } from '#lib/token/list';
import { type CreatedToken, LOGIN_TOKEN } from '#lib/token/record';
import { tokensOf, tokensSince } from '#lib/token/revoke';
import { hashApiToken } from '#lib/token/secret';
import { seededBytes } from '../../names.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { removeAll } from '../support/remove-all.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, clock, runtime, account, stored, operations, wire } = await openTestTable();
const END = NOON + 1500;
const root = by('root');
const endless = {};

const keysOf = ({ value, username, name }: CreatedToken): Key[] => [
  tokenKey(hashApiToken(value)),
  tokenNameKey(username, name),
];

const create = async (owner: Account, name: string, expires_at?: number) =>
  createToken(runtime, await stored(owner), name, root, expires_at === undefined ? endless : { expires_at });
const namesOf = async (owner: Account) => (await listTokens(runtime, owner)).items.map(({ name }) => name);
const live = async (owner: Account) => liveTokens(await stored(owner), clock.time);

test('a token has its end in its item, its name, its account and its record', async () => {
  const ada = await account();
  const token = await create(ada, 'ci', END);
  expect(token.token_expires_at).toBe('2026-11-20T12:00:01.500');
  const ttl = END / 1000 + 0.5;
  for (const key of keysOf(token)) expect(await get(table, key)).toMatchObject({ expires_at: END, ttl });
  expect(await stored(ada)).toMatchObject({ token_count: 1, token_ends: [END] });
  await create(ada, 'cd', END);
  expect(await stored(ada)).toMatchObject({ token_count: 2, token_ends: [END, END] });
  await deleteToken(runtime, await stored(ada), 'cd', root);
  expect(await stored(ada)).toMatchObject({ token_count: 1, token_ends: [END] });
});

test('an expired token is in no list, cannot be deleted, and leaves its name free from its end on', async () => {
  const ada = await account();
  await create(ada, 'ci', END);
  await create(ada, 'kept');
  const found = async () => {
    const all = await browseTokens(runtime, {});
    const own = all.items.filter(({ username }) => username === ada.username);
    const { found: since } = await tokensSince(runtime, 0);
    return [
      await namesOf(ada),
      own.map(({ name }) => name),
      (await tokensOf(runtime, ada)).found.map(({ name }) => name),
      since.filter(({ username }) => username === ada.username).map(({ name }) => name),
    ];
  };
  clock.time = END - 1;
  expect(await found()).toEqual(Array(4).fill(['ci', 'kept']));
  await expect(create(ada, 'ci')).rejects.toMatchObject({ code: 'token_exists' });
  clock.time = END;
  expect(await found()).toEqual(Array(4).fill(['kept']));
  await expect(deleteToken(runtime, await stored(ada), 'ci', root)).rejects.toMatchObject({
    code: 'token_not_found',
  });
  const again = await create(ada, 'ci');
  // The name has neither end nor time to live of the token before.
  const [, name] = keysOf(again) as [Key, Key];
  expect(await get(table, name)).toEqual({ ...name, sha256: hashApiToken(again.value) });
  expect(await found()).toEqual(Array(4).fill(['ci', 'kept']));
  const { token_count, token_ends } = await stored(ada);
  expect([token_count, token_ends]).toEqual([2, undefined]);
});

test('an expired logintoken is replaced like a free name', async () => {
  const ada = await account();
  await createLoginToken(runtime, ada, root, { expires_at: END });
  clock.time = END;
  await createLoginToken(runtime, await stored(ada), root, { expires_at: END + 1 });
  expect(await stored(ada)).toMatchObject({ token_count: 1, token_ends: [END + 1] });
  await createLoginToken(runtime, await stored(ada), root);
  expect(await stored(ada)).toMatchObject({ token_count: 1 });
  expect((await stored(ada)).token_ends).toBeUndefined();
  expect(await namesOf(ada)).toEqual([LOGIN_TOKEN]);
});

test('expired tokens make room for new ones, also for a caller that read the account before', async () => {
  const ada = await setAttributes(table, await account(), {
    token_count: MAX_TOKENS,
    token_ends: Array(2).fill(END),
  });
  await expect(create(ada, 'early')).rejects.toMatchObject({ code: 'token_limit' });
  clock.time = END;
  await createToken(runtime, { ...ada, token_count: 5, token_ends: [] }, 'one', root);
  await createToken(runtime, ada, 'two', root, { expires_at: END + 1 });
  expect(await live(ada)).toBe(MAX_TOKENS);
  await expect(create(ada, 'three')).rejects.toMatchObject({ code: 'token_limit' });
});

test('a deletion counts once when a clock that is ahead has dropped the end already', async () => {
  const ada = await account();
  await create(ada, 'ci', END);
  const before = await stored(ada);
  await setAttributes(table, ada, { token_count: 0, token_ends: undefined } as object);
  await deleteToken(runtime, before, 'ci', root);
  expect(await live(ada)).toBe(0);
});

test.each([false, true])(
  'a reactivation reports and counts live tokens only, revoking them: %j',
  async (revoke_tokens) => {
    const ada = await account();
    for (const [name, end] of [
      ['a', END],
      ['b', END],
      ['c', undefined],
      ['d', END + 1],
    ] as const)
      await create(ada, name, end);
    await cancelAccount(runtime, await stored(ada), root);
    clock.time = END;
    await remove(table, tokenNameKey(ada.username, 'a'));
    const answer = await reactivateAccount(runtime, await stored(ada), root, { revoke_tokens });
    const [tokens_revived, tokens_revoked] = revoke_tokens ? [0, 2] : [2, 0];
    expect(answer).toMatchObject({ changed: true, tokens_revived, tokens_revoked });
    expect(await live(ada)).toBe(tokens_revived);
    expect(await namesOf(ada)).toEqual(revoke_tokens ? [] : ['c', 'd']);
  },
);

test('tokens that expire around one instant leave exact counts and free names for all removals', async () => {
  const PER_ACCOUNT = MAX_TOKENS;
  const owners = await Promise.all(Array.from({ length: 2 }, () => account()));
  // A third each ends before, at and after the instant.
  const all = await inParallel(
    owners.flatMap((owner) => Array.from({ length: PER_ACCOUNT }, (_, n) => ({ owner, n }))),
    async ({ owner, n }) => createToken(runtime, owner, `t${n}`, root, { expires_at: END - 1 + (n % 3) }),
    10,
  );
  for (const owner of owners) expect(await live(owner)).toBe(PER_ACCOUNT);
  clock.time = END;
  const left = PER_ACCOUNT - Math.ceil((PER_ACCOUNT * 2) / 3);
  // Time to live has removed any half of the items of expired tokens, in no order.
  const expired = all.filter(({ token_expires_at }) => Date.parse(`${token_expires_at}Z`) <= clock.time);
  const removable = expired.flatMap(keysOf).map((key) => [seededBytes(6).readUIntBE(0, 6), key] as const);
  const removed = removable.toSorted(([a], [b]) => a - b).slice(0, removable.length / 2);
  await removeAll(
    table,
    removed.map(([, key]) => key),
  );
  for (const owner of owners) {
    expect(await live(owner)).toBe(left);
    expect(await namesOf(owner)).toHaveLength(left);
  }
  wire.reset();
  // Parallel writers of one account use each name again, replace and delete.
  await inParallel(
    owners.flatMap((owner) => [0, 1, 3, 4].map((n) => ({ owner, n }))),
    ({ owner, n }) => createToken(runtime, owner, `t${n}`, root, n % 2 ? { expires_at: END + 9 } : {}),
    10,
  );
  expect(operations().filter((one) => one !== 'TransactWriteItems')).toEqual([]);
  for (const owner of owners) {
    await deleteToken(runtime, await stored(owner), 't2', root);
    expect(await live(owner)).toBe(left + 3);
    const { token_count, token_ends } = await stored(owner);
    expect([token_count, token_ends?.length]).toEqual([left + 3, left + 1]);
    expect(await namesOf(owner)).toHaveLength(left + 3);
  }
  clock.time = END + 9;
  for (const owner of owners) expect(await live(owner)).toBe(2);
});
