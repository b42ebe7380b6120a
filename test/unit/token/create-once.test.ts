import { expect, test } from 'vitest';
import { MAX_TOKENS } from '#lib/account/token-count';
import { Answer } from '#lib/contract/answer';
import type { Account } from '#lib/item/account';
import type { Limits } from '#lib/item/token';
import { madeKey, tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { DAY_MS } from '#lib/time';
import { createToken } from '#lib/token/create';
import { createRequested, tokenOnce } from '#lib/token/create-once';
import { deleteToken } from '#lib/token/delete';
import type { CreatedToken } from '#lib/token/record';
import { hashApiToken } from '#lib/token/secret';
import type { RequestedTerms } from '#lib/token/terms';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { tokenItem } from '../support/items.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, wire, clock, runtime, account, stored, operations } = await openTestTable();

type Request = { owner?: Account } & Partial<Record<'name' | 'key' | 'credential' | 'caller', string>>;

/** An account, and requests of a caller of its own for tokens of it. */
async function open() {
  const ada = await account();
  const admin = `admin-of-${ada.username}`;
  return {
    ada,
    admin,
    /** The record, and whether it is answered again. */
    async create({ name = 'ci', owner = ada, caller = admin, ...rest }: Request = {}) {
      const repeatable = { key: 'order 1', by: caller, credential: 'cst_credential', ...rest };
      const answer = await tokenOnce(runtime, owner, name, repeatable, (note) =>
        createToken(runtime, owner, name, by(caller), {}, note),
      );
      return answer instanceof Answer
        ? { token: answer.data, again: !answer.changed }
        : { token: answer, again: false };
    },
    count: async () => (await stored(ada)).token_count,
  };
}

test('tokenOnce answers the same after a new login, and creates nothing', async () => {
  const { ada, admin, create, count } = await open();
  const { token, again } = await create();
  expect(again).toBe(false);
  const owned = { username: ada.username, userid: ada.id, token_created_by: admin };
  const last4 = token.value.slice(-4);
  const used = tokenItem({ ...owned, last4, token_used_at: 'later' });
  await put(table, tokenKey(hashApiToken(token.value)), used);
  clock.time = NOON + DAY_MS - 1000;
  wire.reset();
  expect(await create({ credential: 'ey.new.login' })).toEqual({ token, again: true });
  expect(operations()).toEqual(['BatchGetItem', 'GetItem']);
  expect(await count()).toBe(1);
});

test('tokenOnce creates one token for eight equal requests at once', async () => {
  const { create, count } = await open();
  const all = await Promise.all(Array.from({ length: 8 }, () => create()));
  expect(new Set(all.map(({ token }) => token.value)).size).toBe(1);
  expect(all.filter(({ again }) => !again)).toHaveLength(1);
  expect(await count()).toBe(1);
});

test('tokenOnce takes an equal request a day later for a new one', async () => {
  const { create } = await open();
  await create();
  clock.time = NOON + DAY_MS;
  await expect(create()).rejects.toMatchObject({ code: 'token_exists' });
  const second = await create({ name: 'other' });
  expect(second).toMatchObject({ again: false, token: { name: 'other' } });
  expect(await create({ name: 'other' })).toEqual({ ...second, again: true });
});

test.each<Request>([{ caller: 'another' }, { key: '2' }])(
  'tokenOnce takes the request with %j for a new one',
  async (request) => {
    const { create } = await open();
    await create();
    await expect(create(request)).rejects.toMatchObject({ code: 'token_exists' });
    expect(await create({ ...request, name: 'new' })).toMatchObject({ again: false });
  },
);

const OTHER_REQUEST = { field: 'Idempotency-Key', message: 'Was used for another request' };

test.each([
  ['name', OTHER_REQUEST, async () => ({ name: 'other' })],
  ['owner', OTHER_REQUEST, async () => ({ owner: await account() })],
])('tokenOnce refuses a key that was used for another %s', async (_what, error, request) => {
  const { create, count } = await open();
  await create();
  await expect(create(await request())).rejects.toMatchObject({
    code: 'idempotency_key_reused',
    errors: [error],
  });
  expect(await count()).toBe(1);
});

test('tokenOnce remembers no refused request, and repeats none whose token was deleted', async () => {
  const { ada, create, count } = await open();
  await setAttributes(table, ada, { token_count: MAX_TOKENS });
  await expect(create()).rejects.toMatchObject({ code: 'token_limit' });
  await setAttributes(table, ada, { token_count: 0 });
  expect(await create()).toMatchObject({ again: false });
  await deleteToken(runtime, ada, 'ci', by('ada'));
  await expect(create()).rejects.toMatchObject({ code: 'token_deleted' });
  expect(await count()).toBe(0);
});

/** A request of an account for a token of its own, with a key. */
const requestOwn = (owner: Account, body: RequestedTerms, limits: Limits) => {
  const request = { actor: by(owner.username), params: { token_name: 'ci' }, body, limits };
  const repeatable = { key: 'key', by: owner.username, credential: 'cst_credential' };
  return createRequested(runtime, owner, request, repeatable);
};

const READ = { access: 'read' } as const;
const TERMS: readonly [string, RequestedTerms, Limits][] = [
  ['no terms', {}, {}],
  ['terms', READ, {}],
  ['other terms', { description: 'x' }, {}],
  ['a narrow credential', {}, { roles: ['a'] }],
];

test.each(TERMS)(
  'createRequested repeats a request with %s, and with nothing else',
  async (what, body, limits) => {
    const ada = await account({ roles: ['a'] });
    const request = (...terms: [RequestedTerms, Limits]) => requestOwn(ada, ...terms);
    const made = (await request(body, limits)) as CreatedToken;
    expect(await request(body, limits)).toEqual(new Answer(made, { changed: false }));
    for (const [other, ...terms] of TERMS)
      if (other !== what)
        await expect(request(...terms)).rejects.toMatchObject({
          code: 'idempotency_key_reused',
          errors: [OTHER_REQUEST],
        });
    expect((await stored(ada)).token_count).toBe(1);
  },
);

test('createRequested repeats a request after the end that it asked for, and reports that the token is gone', async () => {
  const ada = await account();
  const body = { expires_at: '2026-11-20T12:00:01Z' };
  const request = () => requestOwn(ada, body, {});
  await request();
  clock.time = NOON + 999;
  expect(await request()).toBeInstanceOf(Answer);
  clock.time = NOON + 1000;
  await expect(request()).rejects.toMatchObject({ code: 'token_deleted' });
});

test('tokenOnce stores no secret, key or credential, and for a day only', async () => {
  const { ada, admin, create } = await open();
  clock.time = NOON + 1;
  const { token } = await create({ key: 'the key' });
  const made = await get(table, madeKey(admin, 'the key'));
  expect(made).toMatchObject({ username: ada.username, name: 'ci', ttl: (NOON + DAY_MS) / 1000 + 1 });
  for (const secret of [token.value, 'the key', 'cst_credential'])
    expect(JSON.stringify(made)).not.toContain(secret);
});

test('tokenOnce creates no second token when the stored request cannot be found in a race', async () => {
  const { create, count } = await open();
  await create();
  wire.script((operation) => (operation === 'BatchGetItem' ? { status: 200, body: {} } : undefined));
  await expect(create()).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  wire.reset();
  expect(await count()).toBe(1);
});
