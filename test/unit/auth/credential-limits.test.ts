import { describe, expect, test } from 'vitest';
import { type Authenticate, authenticator } from '#lib/auth/authenticate';
import { checkAccess } from '#lib/auth/credential-limits';
import type { Contract } from '#lib/contract/contract';
import type { Account, Ended } from '#lib/item/account';
import type { CredentialLimits } from '#lib/item/token';
import { endedKey } from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { DAY_MS, isoOf } from '#lib/time';
import { createToken } from '#lib/token/create';
import { codeOf } from '../support/code-of.ts';
import { combinationsOf } from '../support/combinations.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { logInByToken, publishKey } from '../support/signing-keys.ts';
import { UNAUTHENTICATED } from './sessions.ts';

const { table, wire, clock, runtime, account, operations } = await openTestTable();
const key = await publishKey(table);
/** The source of requests by default. */
const HERE = '192.0.2.1';

async function tokenWith(limits: CredentialLimits) {
  const owner = await account({ roles: ['one', 'two'] });
  const { value } = await createToken(runtime, owner, 'ci', by('admin'), limits);
  return { owner, token: { kind: 'api-token', value, address: HERE } as const };
}
type Token = Awaited<ReturnType<typeof tokenWith>>['token'];

/** The session that a token logs in. */
async function sessionOf({ value }: Token) {
  const { JWTtoken } = await logInByToken(runtime, key, value);
  return { kind: 'jwt', value: JWTtoken, address: HERE } as const;
}

type Credential = Token | Awaited<ReturnType<typeof sessionOf>>;
async function open(credentialOf: (token: Token) => Promise<Credential>, limits: CredentialLimits) {
  const { token, owner } = await tokenWith(limits);
  return { credential: await credentialOf(token), owner, authenticate: authenticator(runtime, 0) };
}
const isRefused = (authenticate: Authenticate, ...request: Parameters<Authenticate>) =>
  expect(authenticate(...request)).rejects.toMatchObject(UNAUTHENTICATED);

/** Each combination of limits, absent or present, and of no role with the others. */
const EVERY_LIMITS = combinationsOf<CredentialLimits>({
  access: 'read',
  addresses: [HERE],
  expires_at: NOON + 1500,
})
  .flatMap((others): CredentialLimits[] => [others, { ...others, roles: [] }, { ...others, roles: ['one'] }])
  .map((limits) => ({ what: JSON.stringify(limits), limits }));

describe.each([
  ['a token', async (token: Token) => token],
  ['a session of a token', sessionOf],
] as const)('%s', (_kind, credentialOf) => {
  test('is refused from the millisecond on at which its token ends', async () => {
    const { credential, authenticate } = await open(credentialOf, { expires_at: NOON + 1500 });
    clock.time = NOON + 1499;
    expect((await authenticate(credential)).limits).toEqual({ expires_at: NOON + 1500 });
    clock.time = NOON + 1500;
    await isRefused(authenticate, credential);
  });

  test('is refused from an address outside its blocks, except for an introspection', async () => {
    const { credential, authenticate } = await open(credentialOf, { addresses: ['192.0.2.0/30'] });
    await authenticate(credential);
    await isRefused(authenticate, { ...credential, address: '192.0.2.4' });
    await authenticate({ ...credential, address: undefined });
  });

  test.each(EVERY_LIMITS)('has exactly the limits of its token: $what', async ({ limits }) => {
    const { credential, authenticate } = await open(credentialOf, limits);
    expect((await authenticate(credential)).limits).toStrictEqual(limits);
  });
});

/** Where the end of a session is stored, and the reads of a request with the session. */
const PLACES: readonly [string, string[], (of: Account, id: string, end: Ended) => Promise<unknown>][] = [
  ['in the account', ['GetItem'], (of, id, end) => setAttributes(table, of, { ended: { [id]: end } })],
  [
    'in an item of its own',
    ['GetItem', 'BatchGetItem'],
    async (of, id, { at, until }) => {
      await setAttributes(table, of, { ended_until: until });
      await put(table, endedKey(of.username, id), { ended_at: at, ttl: until });
    },
  ],
];

test.each(PLACES)(
  'a session of a token is refused once its end %s has passed',
  async (_place, reads, store) => {
    const expires_at = NOON + 90_000;
    const { credential, owner, authenticate } = await open(sessionOf, { expires_at });
    const { secret, credential: id } = await authenticate(credential);
    for (const ended of [secret as string, id]) {
      const end = { at: NOON + 10, until: NOON / 1000 + 60 };
      await store(owner, ended, end);
      clock.time = end.at - 1;
      // Tokens that a session creates end with the secret that opened it.
      const { limits } = await authenticate(credential);
      expect(limits).toEqual({ expires_at: ended === secret ? end.at : expires_at });
      clock.time = end.at;
      wire.reset();
      await isRefused(authenticate, credential);
      expect(operations()).toEqual(reads);
      await remove(table, endedKey(owner.username, ended));
    }
  },
);

test.each<{ what: string; limits: CredentialLimits; seconds: number }>([
  { what: 'has no end', limits: {}, seconds: 86_400 },
  { what: 'ends after it', limits: { expires_at: NOON + 2 * DAY_MS }, seconds: 86_400 },
  { what: 'ends with it', limits: { expires_at: NOON + DAY_MS }, seconds: 86_400 },
  { what: 'ends before it, within a second', limits: { expires_at: NOON + 90_999 }, seconds: 90 },
])('a session is valid for $seconds seconds when its token $what', async ({ limits, seconds }) => {
  const { token } = await tokenWith(limits);
  const { expires_in, expires_at } = await logInByToken(runtime, key, token.value);
  expect([expires_in, expires_at]).toEqual([seconds, isoOf(NOON + seconds * 1000)]);
});

test.each<[CredentialLimits]>([[{ addresses: ['198.51.100.0/24'] }], [{ expires_at: NOON }]])(
  'a login with a token of %j is refused like one with an unknown token, and records no use',
  async (limits) => {
    const { token } = await tokenWith(limits);
    wire.reset();
    await expect(sessionOf(token)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(operations()).toEqual(['GetItem', 'GetItem']);
  },
);

test.each<[CredentialLimits, Partial<Contract>, string, string | undefined]>([
  [{ access: 'read' }, {}, 'GET', undefined],
  [{ access: 'read' }, { unsafe: true }, 'GET', 'forbidden'],
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].map(
    (method) => [{ access: 'read' }, {}, method, 'forbidden'] as [CredentialLimits, object, string, string],
  ),
  [{}, { unsafe: true }, 'POST', undefined],
])('checkAccess of %j to %j by %s: %s', (limits, contract, method, code) => {
  expect(codeOf(() => checkAccess(limits, contract as Contract, method))).toBe(code);
});
