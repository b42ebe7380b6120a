import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { GatewayEvent } from '#lib/contract/gateway-event';
import type { TrustItem } from '#lib/item/trust';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { grantToken } from '#lib/oauth/token';
import { cachedPublicKeys } from '#lib/session/public-keys';
import { trustIndex, trustKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { type AccountOverrides, openTestTable } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { uuidOf } from '../support/items.ts';
import { publishKey, publishResourceKey } from '../support/signing-keys.ts';

export const AUDIENCE = 'https://accounts.example.com';
export const ISSUER = 'https://issuer.example.com';
export const TRUST = 'deploy';

/** The causes that only a token of an issuer has. */
export const GRANT_CAUSES = [
  'malformed_grant',
  'unknown_trust',
  'unknown_issuer',
  'issuer_unreachable',
  'grant_expired',
  'grant_not_begun',
  'grant_too_long',
  'wrong_subject',
  'wrong_claim',
  'grant_spent',
];

/** A key pair of an issuer, with the public half as its key set has it. */
export async function issuerKey(alg: string, kid: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** The runtime of a token endpoint on a table, with a new key of each use. */
export async function grantingOn({ table, runtime, clock }: Awaited<ReturnType<typeof openTestTable>>) {
  const [key, resourceKey] = [await publishKey(table), await publishResourceKey(table)];
  const publicKeys = cachedPublicKeys(table, clock);
  const keys = { signingKey: async () => key, resourceKey: async () => resourceKey };
  return { key, resourceKey, granting: { ...runtime, publicKeys, ...keys } };
}

/** Opens a table with an issuer `ci`, whose keys are pasted, and a function that asks for sessions there. */
export async function openOAuth(
  issuers: readonly object[] = [],
  settings: Readonly<Record<string, string>> = {},
) {
  const rsa = await issuerKey('RS256', 'rsa');
  const list = [
    { name: 'ci', issuer: ISSUER, jwks: { keys: [rsa.jwk] } },
    { name: 'once', issuer: `${ISSUER}/once`, jwks: { keys: [rsa.jwk] }, single_use: true },
    ...issuers,
  ];
  const bench = await openTestTable({ Issuers: JSON.stringify(list), Issuer: AUDIENCE, ...settings });
  const { table, clock } = bench;
  const { key, resourceKey, granting } = await grantingOn(bench);

  /** A machine with a trust of the issuer `ci`. */
  const machine = async (trust: Partial<TrustItem> = {}, overrides: AccountOverrides = {}) => {
    const account = await bench.account({
      kind: 'machine',
      owner: 'ada',
      roles: ['deploys', 'reads'],
      trusts: { [TRUST]: uuidOf(7) },
      ...overrides,
    });
    const item: TrustItem = {
      trust_owner: account.username,
      trust_name: TRUST,
      trust_id: uuidOf(7),
      trust_issuer: 'ci',
      trust_subject: 'job:main',
      max_minutes: 15,
      trust_created_at: '2026-11-20T12:00:00.000Z',
      trust_created_by: 'admin',
      ...trust,
    };
    await put(table, trustKey(account.username, TRUST), { ...trustIndex(account.username, TRUST), ...item });
    return { account, name: `${TRUST}@${account.username}`, trust: item };
  };

  /** Claims of a token that the trust accepts. */
  const claims = (more: JWTPayload = {}): JWTPayload => {
    const now = Math.floor(clock() / 1000);
    return { iss: ISSUER, sub: 'job:main', aud: AUDIENCE, iat: now, exp: now + 300, ...more };
  };

  const tokenOf = (
    more: JWTPayload = {},
    { alg, kid, privateKey }: Pick<typeof rsa, 'alg' | 'kid' | 'privateKey'> = rsa,
    header: object = {},
  ) =>
    new SignJWT(claims(more))
      .setProtectedHeader({ alg, kid, ...header })
      .sign(privateKey, { crit: { x: true } });

  const ask = (body: Readonly<Record<string, string>>, event: Partial<GatewayEvent> = {}) =>
    grantToken(granting, body, gatewayEvent({ method: 'POST', ...event }));
  const exchange = (name: string, token: string, more: Readonly<Record<string, string>> = {}) =>
    ask({
      grant_type: GRANT_TYPES.exchange,
      audience: name,
      subject_token: token,
      subject_token_type: TOKEN_TYPES.jwt,
      ...more,
    });
  const assertion = (name: string, token: string, more: Readonly<Record<string, string>> = {}) =>
    ask({ grant_type: GRANT_TYPES.assertion, client_id: name, assertion: token, ...more });

  return { ...bench, key, resourceKey, rsa, granting, machine, claims, tokenOf, ask, exchange, assertion };
}
