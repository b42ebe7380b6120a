import { expect, test } from 'vitest';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { authenticateApiToken, authenticator } from '#lib/auth/authenticate';
import { asFailure } from '#lib/http/envelope';
import type { Account } from '#lib/item/account';
import { type CredentialLimits, limitsOf, type StoredToken, type TokenItem, tokenIn } from '#lib/item/token';
import { assign } from '#lib/table/expressions';
import { formerTokenNameKey, indexedTokens, tokenKey, tokenNameKey } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { put, remove, update } from '#lib/table/write';
import { createLoginToken, createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { listTokens } from '#lib/token/list';
import { LOGIN_TOKEN } from '#lib/token/record';
import { revokeAllTokens } from '#lib/token/revoke';
import { rotateToken } from '#lib/token/rotate';
import { hashApiToken, secretId } from '#lib/token/secret';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { logInByToken, publishKey } from '../support/signing-keys.ts';

const { table, wire, clock, runtime, account, stored } = await openTestTable();
const key = await publishKey(table);
const admin = by('admin');
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

type Token = { readonly value: string };
const keyOf = ({ value }: Token) => tokenKey(hashApiToken(value));
const itemOf = (token: Token) => get(table, keyOf(token));
const rotate = (owner: Account, overlap = 0, ...rest: [Parameters<typeof rotateToken>[5]?]) =>
  rotateToken(runtime, owner, 'ci', admin, overlap, ...rest);

async function tokenOf(
  overrides: Parameters<typeof account>[0] = {},
  terms: CredentialLimits = {},
  name = 'ci',
) {
  const owner = await account(overrides);
  return { owner, first: await createToken(runtime, owner, name, admin, terms) };
}

/** The code of a failure; undefined for a success. */
const codeOf = (result: Promise<unknown>) =>
  result.then(
    () => undefined,
    ({ code }) => code as string,
  );
const works = async ({ value }: Token) =>
  (await codeOf(authenticateApiToken(runtime, { value, address: undefined }))) === undefined;
/** Whether each of the secrets works. */
const working = async (...tokens: readonly Token[]) => Promise.all(tokens.map(works));

/** Logs in with a token. @returns a function that returns whether the session is valid */
async function sessionOf({ value }: Token) {
  const { JWTtoken } = await logInByToken(runtime, key, value);
  const credential = { kind: 'jwt', value: JWTtoken, address: undefined } as const;
  return {
    credential,
    isValid: async () => (await codeOf(authenticator(runtime)(credential))) === undefined,
  };
}

test('rotateToken replaces the secret and keeps the name, limits, end and description', async () => {
  const terms = { roles: ['a'], addresses: ['192.0.2.0/24'], expires_at: NOON + DAY, description: 'for CI' };
  const { owner, first } = await tokenOf({ roles: ['a'] }, terms);
  await update(table, { Key: keyOf(first), ...assign({ token_used_at: 'then' }, {}) });
  const { token_used_at: _, ...before } = (await itemOf(first)) as StoredToken;
  clock.time += MINUTE;
  const second = await rotateToken(runtime, owner, 'ci', by('Root'), 0);
  expect(await itemOf(first)).toBeUndefined();
  expect(await itemOf(second)).toEqual({
    ...before,
    ...keyOf(second),
    last4: second.value.slice(-4),
    token_created_at: '2026-11-20T12:01:00.000',
    token_created_by: 'Root',
  });
  const { items } = await listTokens(runtime, owner);
  expect(items).toEqual([{ ...second, value: null }]);
  expect(await working(first, second)).toEqual([false, true]);
  expect((await stored(owner)).token_count).toBe(1);
});

test.each([
  ['no end', undefined, 10],
  ['a later end', 30, 10],
  ['an earlier end', 5, 5],
])('rotateToken gives a token with %s the end of a new one at the latest', async (_what, days, expected) => {
  const settings = { ...runtime.settings, TokenMaxDays: 10 };
  const { owner } = await tokenOf({}, days === undefined ? {} : { expires_at: NOON + days * DAY });
  const second = await rotateToken({ ...runtime, settings }, owner, 'ci', admin, 0);
  expect(await itemOf(second)).toMatchObject({ expires_at: NOON + expected * DAY });
});

test('rotateToken keeps the creator when the owner rotates', async () => {
  const { owner } = await tokenOf();
  const rotated = await rotateToken(runtime, owner, 'ci', by(owner.username.toUpperCase()), 0);
  expect(rotated.token_created_by).toBe('admin');
});

test('the former secret works until the overlap ends, and listings do not contain it', async () => {
  const { owner, first } = await tokenOf();
  const second = await rotate(owner, 5);
  expect((await listTokens(runtime, owner)).items).toHaveLength(1);
  expect(await query(table, indexedTokens(owner.username))).toEqual([await itemOf(second)]);
  clock.time += 5 * MINUTE - 1;
  expect(await working(first, second)).toEqual([true, true]);
  clock.time += 1;
  expect(await working(first, second)).toEqual([false, true]);
  expect(await itemOf(first)).toMatchObject({ ttl: (NOON + 5 * MINUTE) / 1000 });
});

test('the former secret does not work longer than the token', async () => {
  const { owner, first } = await tokenOf({}, { expires_at: NOON + MINUTE });
  const second = await rotate(owner, 60);
  clock.time += MINUTE;
  expect(await working(first, second)).toEqual([false, false]);
  expect(await codeOf(rotate(owner))).toBe('token_not_found');
});

test.each([0, 60])(
  'a second rotation with an overlap of %i minutes ends the first overlap',
  async (overlap) => {
    const { owner, first } = await tokenOf();
    const second = await rotate(owner, 60);
    const third = await rotate(owner, overlap);
    expect(await working(first, second, third)).toEqual([false, overlap > 0, true]);
    expect((await stored(owner)).token_count).toBe(1);
  },
);

test.each<[what: string, end: (owner: Account) => Promise<unknown>]>([
  ['deleteToken', (owner) => deleteToken(runtime, owner, LOGIN_TOKEN, admin)],
  ['createLoginToken', (owner) => createLoginToken(runtime, owner, admin)],
  ['revokeAllTokens', (owner) => revokeAllTokens(runtime, owner, admin)],
  [
    'reactivateAccount',
    async (owner) => {
      await cancelAccount(runtime, owner, admin);
      await reactivateAccount(runtime, await stored(owner), admin, { revoke_tokens: true });
    },
  ],
])('%s ends the former secret of a token and its sessions', async (_, end) => {
  const { owner, first } = await tokenOf({}, {}, LOGIN_TOKEN);
  const second = await rotateToken(runtime, owner, LOGIN_TOKEN, admin, 60);
  const sessions = [await sessionOf(first), await sessionOf(second)];
  expect(await Promise.all(sessions.map(({ isValid }) => isValid()))).toEqual([true, true]);
  await end(await stored(owner));
  expect(await working(first, second)).toEqual([false, false]);
  expect(await itemOf(first)).toBeUndefined();
  expect(await Promise.all(sessions.map(({ isValid }) => isValid()))).toEqual([false, false]);
});

test('sessions end with the secret that has logged them in', async () => {
  const { owner, first } = await tokenOf();
  const before = await sessionOf(first);
  const second = await rotate(owner, 5);
  const [during, after] = [await sessionOf(first), await sessionOf(second)];
  clock.time += 5 * MINUTE - 1;
  const all = [before, during, after];
  expect(await Promise.all(all.map(({ isValid }) => isValid()))).toEqual([true, true, true]);
  clock.time += 1;
  expect(await Promise.all(all.map(({ isValid }) => isValid()))).toEqual([false, false, true]);
  await rotate(await stored(owner));
  expect(await after.isValid()).toBe(false);
  // The end of an overlap stays as it was.
  expect((await stored(owner)).ended?.[secretId(hashApiToken(first.value))]?.at).toBe(clock.time);
});

test('a second rotation ends sessions of the first overlap at once', async () => {
  const { owner, first } = await tokenOf();
  const before = await sessionOf(first);
  const noted = (await itemOf(first))?.session_until;
  await rotate(owner, 60);
  const during = await sessionOf(first);
  await rotate(await stored(owner), 60);
  expect([await before.isValid(), await during.isValid()]).toEqual([false, false]);
  const { ended } = await stored(owner);
  expect(ended?.[secretId(hashApiToken(first.value))]).toEqual({ at: 0, until: noted });
});

test('rotateToken refuses a name without a token, an expired token and a cancelled account', async () => {
  const { owner, first } = await tokenOf({}, { expires_at: NOON + MINUTE });
  expect(await codeOf(rotateToken(runtime, owner, 'other', admin, 0))).toBe('token_not_found');
  const cancelled = await setAttributes(table, owner, { isactive: false });
  expect(await codeOf(rotate(cancelled))).toBe('account_cancelled');
  await remove(table, keyOf(first));
  expect(await codeOf(rotate(owner))).toBe('token_rotated');
  clock.time += MINUTE;
  expect(await codeOf(rotate(owner))).toBe('token_not_found');
});

test('rotateToken reports to a former secret, and to a session of one, that another rotation was faster', async () => {
  const { owner, first } = await tokenOf();
  const { credential } = await sessionOf(first);
  const former = { kind: 'api-token', value: first.value, address: undefined } as const;
  const verified = () => Promise.all([former, credential].map((one) => authenticator(runtime)(one)));
  const before = await verified();
  const second = await rotate(owner, 60);
  for (const { limits, secret } of before)
    expect(await codeOf(rotate(owner, 0, { limits, secret }))).toBe('token_rotated');
  for (const { limits, secret } of await verified()) {
    expect(limits).toEqual({ expires_at: NOON + 60 * MINUTE });
    const rotation = rotate(await stored(owner), 0, { limits, secret });
    expect(await codeOf(rotation)).toBe('token_rotated');
  }
  expect(await works(second)).toBe(true);
});

const NARROW = { access: 'read', roles: [], addresses: ['192.0.2.9'], expires_at: NOON + DAY } as const;

test.each(Object.entries(NARROW))(
  'rotateToken refuses a token without a limit on %s, and rotates one with it, when the credential has it',
  async (field, value) => {
    const limits: CredentialLimits = { [field]: value };
    const { owner, first } = await tokenOf();
    const refused = rotate(owner, 0, { limits });
    await expect(refused).rejects.toMatchObject({ code: 'forbidden', errors: [{ field }] });
    expect(await works(first)).toBe(true);
    const narrow = await tokenOf({}, limits);
    const second = await rotate(narrow.owner, 0, { limits });
    expect(limitsOf(tokenIn(await itemOf(second)) as TokenItem)).toEqual(limits);
  },
);

test.each(['before', 'during'])('createLoginToken refuses a secret replaced %s the request', async (time) => {
  const { owner, first } = await tokenOf({}, {}, LOGIN_TOKEN);
  const replaced: Token[] = [];
  const replace = async () => void replaced.push(await rotateToken(runtime, owner, LOGIN_TOKEN, admin, 60));
  if (time === 'before') await replace();
  else wire.before('TransactWriteItems', replace);
  const secret = secretId(hashApiToken(first.value));
  expect(await codeOf(createLoginToken(runtime, owner, admin, {}, { secret }))).toBe('token_rotated');
  expect(await working(first, ...replaced)).toEqual([true, true]);
});

test('rotateToken reports that another request was faster', async () => {
  const { owner } = await tokenOf();
  wire.before('TransactWriteItems', () => deleteToken(runtime, owner, 'ci', admin));
  expect(await codeOf(rotate(owner, 60))).toBe('token_rotated');
});

test('50 rotations at once leave one current secret, and no other that works', async () => {
  const { owner, first } = await tokenOf();
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => rotate(owner, 60)));
  const rotated = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const codes = results.flatMap((each) => (each.status === 'rejected' ? [asFailure(each.reason).code] : []));
  expect(rotated.length).toBeGreaterThan(0);
  expect(codes.filter((code) => code !== 'token_rotated' && code !== 'unavailable')).toEqual([]);
  const name = await get(table, tokenNameKey(owner.username, 'ci'));
  const valid = [name?.sha256, name?.former?.sha256];
  for (const token of [first, ...rotated])
    expect(await works(token), token.value).toBe(valid.includes(hashApiToken(token.value)));
  expect(valid).toContain(
    hashApiToken((rotated.length > 1 ? rotated[0] : first)?.value as string) && valid[0],
  );
  expect((await stored(owner)).token_count).toBe(1);
  expect((await listTokens(runtime, owner)).items).toHaveLength(1);
});

test.each([0, 60])(
  'rotateToken moves the name of a token of an earlier version (overlap %i)',
  async (overlap) => {
    const { owner, first } = await tokenOf();
    const earlier = await setAttributes(table, owner, { names_apart: undefined });
    const { sha256 } = (await get(table, tokenNameKey(owner.username, 'ci'))) as { sha256: string };
    await remove(table, tokenNameKey(owner.username, 'ci'));
    await put(table, formerTokenNameKey(owner.username, 'ci'), { sha256 });
    await update(table, { Key: keyOf(first), UpdateExpression: 'REMOVE last4' });
    const second = await rotate(earlier, overlap);
    expect(await working(first, second)).toEqual([overlap > 0, true]);
    const former = formerTokenNameKey(owner.username, 'ci');
    expect(await get(table, former)).toEqual(former);
    expect((await listTokens(runtime, earlier)).items).toEqual([{ ...second, value: null }]);
    expect(await working(second, await rotate(await stored(earlier)))).toEqual([false, true]);
  },
);
