import { expect, test } from 'vitest';
import { MAX_TOKENS } from '#lib/account/tokens/count';
import { authenticateApiToken } from '#lib/auth/authenticate';
import { Answer } from '#lib/contract/answer';
import type { Account } from '#lib/item/account';
import type { CredentialLimits } from '#lib/item/token';
import { assign } from '#lib/table/expressions';
import { madeKey, tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { update } from '#lib/table/write';
import { DAY_MS } from '#lib/time';
import { createToken } from '#lib/token/create';
import { createRequested } from '#lib/token/create-once';
import { deleteToken } from '#lib/token/delete';
import type { CreatedToken } from '#lib/token/record';
import { rotateRequested, rotateToken } from '#lib/token/rotate';
import { hashApiToken } from '#lib/token/secret';
import type { RequestedTerms } from '#lib/token/terms';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, wire, clock, runtime, account, stored, operations } = await openTestTable();

interface Request extends Partial<Record<'name' | 'key' | 'caller', string>> {
  readonly owner?: Account;
  readonly body?: RequestedTerms;
  readonly limits?: CredentialLimits;
}
const headersOf = (key: string) => ({ 'idempotency-key': key });

/** An account, and requests of a caller of its own for tokens of it. */
async function open() {
  const ada = await account({ roles: ['a'] });
  const admin = `admin-of-${ada.username}`;
  return {
    ada,
    admin,
    /** The record, and whether it is a repeated answer. */
    async create({ name = 'ci', owner = ada, caller = admin, key = 'order 1', ...rest }: Request = {}) {
      const params = { token_name: name };
      const request = { actor: by(caller), headers: headersOf(key), params, body: {}, limits: {}, ...rest };
      const answer = await createRequested(runtime, owner, request);
      return answer instanceof Answer
        ? { token: answer.data, again: !answer.changed }
        : { token: answer, again: false };
    },
    count: async () => (await stored(ada)).token_count,
  };
}

test('createRequested answers a repeat the same after the first use, and creates nothing', async () => {
  const { create, count } = await open();
  const { token, again } = await create();
  expect(again).toBe(false);
  const Key = tokenKey(hashApiToken(token.value));
  await update(table, { Key, ...assign({ token_used_at: 'later' }, {}) });
  clock.time = NOON + DAY_MS - 1000;
  wire.reset();
  expect(await create()).toEqual({ token, again: true });
  expect(operations()).toEqual(['GetItem', 'GetItem']);
  expect(await count()).toBe(1);
});

test('createRequested creates one token for eight equal requests at once', async () => {
  const { create, count } = await open();
  const all = await Promise.all(Array.from({ length: 8 }, () => create()));
  expect(new Set(all.map(({ token }) => token.value)).size).toBe(1);
  expect(all.filter(({ again }) => !again)).toHaveLength(1);
  expect(await count()).toBe(1);
});

test.each<[string, Request, number]>([
  ['another caller', { caller: 'another' }, 0],
  ['another key', { key: '2' }, 0],
  ['the key in another case', { key: 'Order 1' }, 0],
  ['the same key a day later', {}, DAY_MS],
])('createRequested treats a request with %s as a new one', async (_what, request, later) => {
  const { create } = await open();
  await create();
  clock.time += later;
  await expect(create(request)).rejects.toMatchObject({ code: 'token_exists' });
  expect(await create({ ...request, name: 'new' })).toMatchObject({ again: false });
});

const READ = { access: 'read' } as const;
const REQUESTS: Request[] = [
  {},
  { name: 'other' },
  { body: READ },
  { body: { description: 'x' } },
  { limits: { roles: ['a'] } },
  { limits: { roles: ['b'] } },
];

test.each(REQUESTS)(
  'createRequested repeats the request with %j by its key, and no other',
  async (request) => {
    const { create, count } = await open();
    const first = await create(request);
    expect(await create(request)).toEqual({ ...first, again: true });
    const others = REQUESTS.filter((one) => one !== request);
    for (const other of [...others, { ...request, owner: await account() }])
      await expect(create(other)).rejects.toMatchObject({
        code: 'idempotency_key_reused',
        errors: [{ field: 'idempotency-key', message: 'Was used for another request' }],
      });
    expect(await count()).toBe(1);
  },
);

test('createRequested repeats a request for the former secret during an overlap, which has an end', async () => {
  const { create, count } = await open();
  const first = await create({ limits: { access: 'read' } });
  const former = { limits: { access: 'read', expires_at: NOON + 60_000 } } as const;
  expect(await create(former)).toEqual({ ...first, again: true });
  expect(await count()).toBe(1);
});

test('createRequested remembers no refused request, and repeats none whose token was deleted', async () => {
  const { ada, create, count } = await open();
  await setAttributes(table, ada, { token_count: MAX_TOKENS });
  await expect(create()).rejects.toMatchObject({ code: 'token_limit' });
  await setAttributes(table, ada, { token_count: 0 });
  expect(await create()).toMatchObject({ again: false });
  await deleteToken(runtime, ada, 'ci', by('ada'));
  await expect(create()).rejects.toMatchObject({ code: 'token_deleted' });
  expect(await count()).toBe(0);
});

test('createRequested reports that a token is gone from its end on', async () => {
  const { create } = await open();
  const request = { body: { expires_at: '2026-11-20T12:00:01Z' } };
  await create(request);
  clock.time = NOON + 999;
  expect(await create(request)).toMatchObject({ again: true });
  clock.time = NOON + 1000;
  await expect(create(request)).rejects.toMatchObject({ code: 'token_deleted' });
});

test('createRequested stores no secret and no key, and for a day only', async () => {
  const { ada, admin, create } = await open();
  clock.time = NOON + 1;
  const { token } = await create({ key: 'the key' });
  const made = await get(table, madeKey(admin, 'the key'));
  expect(made).toMatchObject({ made_for: ada.username, name: 'ci', ttl: (NOON + DAY_MS) / 1000 + 1 });
  for (const secret of [token.value, 'the key']) expect(JSON.stringify(made)).not.toContain(secret);
});

test('createRequested creates no second token when the stored request cannot be found in a race', async () => {
  const { create, count } = await open();
  await create();
  wire.script((operation) => (operation === 'GetItem' ? { status: 200, body: {} } : undefined));
  await expect(create()).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  wire.reset();
  expect(await count()).toBe(1);
});

/** Rotates the token `ci` with a key, as a request of its owner with a credential. */
const rotate = (
  owner: Account,
  credential: { limits?: CredentialLimits; secret?: string } = {},
  overlap = 60,
) => {
  const params = { token_name: 'ci' };
  const request = { actor: by(owner.username), headers: headersOf('rotation'), params, limits: {} };
  return rotateRequested(runtime, owner, { ...request, ...credential, body: { overlap_minutes: overlap } });
};

test.each<[what: string, credential: CredentialLimits, token: CredentialLimits, code: string | undefined]>([
  ['without limits', {}, READ, undefined],
  ['as narrow as the token', READ, READ, undefined],
  ['with another limit', { roles: [] }, {}, 'forbidden'],
  ['that ends before the token', { expires_at: NOON + DAY_MS }, {}, 'forbidden'],
])('rotateRequested answers a repeat to a credential %s: %s', async (_what, limits, terms, code) => {
  const ada = await account();
  await createToken(runtime, ada, 'ci', by('admin'), terms);
  const rotated = await rotate(ada);
  const repeat = rotate(ada, { limits, secret: 'another' });
  if (code) await expect(repeat).rejects.toMatchObject({ code });
  else expect(await repeat).toEqual(new Answer(rotated as CreatedToken, { changed: false }));
  await expect(rotate(ada, {}, 0)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
});

test('rotateRequested answers a repeat to the secret that was replaced until another rotation', async () => {
  const ada = await account();
  const { value } = await createToken(runtime, ada, 'ci', by('admin'), READ);
  const verified = () => authenticateApiToken(runtime, { value, address: undefined });
  const rotated = await rotate(ada, await verified());
  expect(await rotate(ada, await verified())).toEqual(
    new Answer(rotated as CreatedToken, { changed: false }),
  );
  const before = await verified();
  await rotateToken(runtime, ada, 'ci', by('admin'), 120);
  await expect(rotate(ada, before)).rejects.toMatchObject({ code: 'token_deleted' });
});

test.each([1, 2, 3].flatMap((call) => [0, 60].map((overlap) => [call, overlap])))(
  'rotateRequested repeats an equal request that was faster by call %i, with an overlap of %i minutes',
  async (call, overlap) => {
    const ada = await account();
    const { value } = await createToken(runtime, ada, 'ci', by('admin'));
    const { recorded, ...verified } = await authenticateApiToken(runtime, { value, address: undefined });
    await recorded;
    // Without an overlap, the guard refuses the secret that was replaced.
    const own = overlap > 0 ? verified : {};
    let faster: unknown;
    const rotateFaster = async () => {
      faster = await rotate(ada, own, overlap);
    };
    wire.before(() => true, rotateFaster, call + 1);
    expect(await rotate(ada, own, overlap)).toEqual(new Answer(faster, { changed: false }));
  },
);
