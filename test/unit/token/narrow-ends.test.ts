import { expect, test } from 'vitest';
import { endSession, listSessions } from '#lib/account/sessions';
import type { Account } from '#lib/item/account';
import type { OneTimeCode } from '#lib/item/one-time-code';
import type { CredentialLimits } from '#lib/item/token';
import { logOut } from '#lib/login/logout';
import { codeKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { DAY_MS } from '#lib/time';
import { createLoginToken, createToken } from '#lib/token/create';
import { deleteToken } from '#lib/token/delete';
import { listTokens } from '#lib/token/list';
import { LOGIN_TOKEN } from '#lib/token/record';
import { revokeAllTokens } from '#lib/token/revoke';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { storedSession, uuidOf } from '../support/items.ts';

const { runtime, account, stored, table, operations, wire } = await openTestTable();
const admin = by('admin');

/** Limits of a credential that asks, and of the one that it wants to end, which is no wider but for its end. */
const PAIRS: readonly [what: string, own: CredentialLimits, ended: CredentialLimits][] = [
  ['no roles', { roles: [] }, { roles: [], access: 'read' }],
  ['one role', { roles: ['a'] }, { roles: ['a'], expires_at: NOON + DAY_MS }],
  ['blocks', { addresses: ['192.0.2.0/24'] }, { addresses: ['192.0.2.1/32'] }],
  ['an end and no roles', { roles: [], expires_at: NOON + 1 }, { roles: [] }],
];

interface Scene {
  readonly own: CredentialLimits;
  readonly ended: CredentialLimits;
}

/** Rules by which a credential ends another one of its account. */
const ENDS: readonly [
  string,
  (scene: Scene) => Promise<{ end: () => Promise<unknown>; left: () => Promise<number> }>,
][] = [
  [
    'deleteToken',
    async ({ own, ended }) => {
      const owner = await account({ roles: ['a', 'b'] });
      await createToken(runtime, owner, 'ci', admin, ended);
      const current = await stored(owner);
      return {
        end: () => deleteToken(runtime, current, 'ci', admin, undefined, own),
        left: () => tokensOf(owner),
      };
    },
  ],
  [
    'revokeAllTokens',
    async ({ own, ended }) => {
      const owner = await account({ roles: ['a', 'b'] });
      await createToken(runtime, owner, 'ci', admin, ended);
      const current = await stored(owner);
      return { end: () => revokeAllTokens(runtime, current, admin, own), left: () => tokensOf(owner) };
    },
  ],
  [
    'createLoginToken',
    async ({ own, ended }) => {
      const owner = await account({ roles: ['a', 'b'] });
      const first = await createLoginToken(runtime, owner, admin, ended);
      const current = await stored(owner);
      return {
        end: () => createLoginToken(runtime, current, admin, own, { limits: own }),
        left: async () =>
          (await listTokens(runtime, await stored(owner))).items.filter(
            ({ name, token_last4 }) => name === LOGIN_TOKEN && token_last4 === first.value?.slice(-4),
          ).length,
      };
    },
  ],
  [
    'endSession',
    async ({ own, ended }) => {
      const { owner, id } = await withSession(ended);
      return { end: () => endSession(runtime, owner, id, { limits: own }), left: () => sessionsOf(owner) };
    },
  ],
  [
    'logOut',
    async ({ own, ended }) => {
      const { owner } = await withSession(ended);
      return {
        end: () => logOut(runtime, owner, gatewayEvent(), { limits: own }),
        left: () => sessionsOf(owner),
      };
    },
  ],
];

const tokensOf = async (owner: Account) => (await listTokens(runtime, await stored(owner))).items.length;
const sessionsOf = async (owner: Account) => (await listSessions(runtime, await stored(owner))).items.length;

/** An account with one open session, of a token with these limits; of a password without any. */
async function withSession(limits: CredentialLimits, n = 1) {
  const owner = await account({ roles: ['a', 'b'] });
  const ofToken = Object.keys(limits).length > 0 ? { credential: 'ci', secret: 'x', limits } : {};
  const id = await storedSession(table, owner, { id: uuidOf(n), ttl: NOON / 1000 + 3600, ...ofToken });
  return { owner, id };
}

test.each(ENDS.flatMap(([rule, prepare]) => PAIRS.map((pair) => [rule, ...pair, prepare] as const)))(
  '%s ends nothing wider, and anything else, when the credential has %s',
  async (_rule, _what, own, ended, prepare) => {
    const wide = await prepare({ own, ended: {} });
    await expect(wide.end()).rejects.toMatchObject({ code: 'forbidden' });
    expect(await wide.left()).toBe(1);
    const narrow = await prepare({ own, ended });
    await narrow.end();
    expect(await narrow.left()).toBe(0);
  },
);

test('a session of an earlier version, whose record has no limits, ends itself', async () => {
  const { owner, id } = await withSession({ roles: [] });
  const old = await storedSession(table, owner, { id: uuidOf(2), ttl: NOON / 1000 + 3600, secret: 'old' });
  const own = { limits: { roles: [] }, secret: 'old' };
  await endSession(runtime, owner, old, own);
  await endSession(runtime, await stored(owner), id, own);
  expect(await sessionsOf(owner)).toBe(0);
});

test('logOut ends an open code for a credential without limits only, and an expired one for any', async () => {
  const limits = { roles: [] };
  const scene = async (expires_at: number) => {
    const { owner } = await withSession(limits);
    await put(table, codeKey(owner.username), { code_sha256: 'x', expires_at, ttl: 1 } as OneTimeCode);
    return (own: CredentialLimits) => logOut(runtime, owner, gatewayEvent(), { limits: own });
  };
  const failure = {
    code: 'forbidden',
    errors: [{ field: 'roles', message: expect.stringContaining('code') }],
  };
  await expect((await scene(NOON + 1))(limits)).rejects.toMatchObject(failure);
  await (await scene(NOON + 1))({});
  await (await scene(NOON))(limits);
});

test.each<[string, CredentialLimits]>([
  ['no limits', {}],
  ['an end only', { expires_at: NOON + 1 }],
])('logOut reads no session when the credential has %s', async (_what, limits) => {
  const { owner } = await withSession({});
  wire.reset();
  await logOut(runtime, owner, gatewayEvent(), { limits });
  expect(operations()).toEqual(['UpdateItem']);
});
