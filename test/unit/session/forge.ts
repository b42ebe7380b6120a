import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { PublicKey } from '#lib/session/session-token';

type Members = Readonly<Record<string, unknown>>;

/** Changes to a valid token: members to replace (undefined removes one), or the whole text of a part. */
export interface Changes {
  readonly header?: Members | string;
  readonly claims?: Members | string;
  /** Signs in place of the key; receives the signing input of RFC 7515. */
  readonly sign?: (input: string) => Uint8Array | string;
}

export const base64url = (text: Uint8Array | string) => Buffer.from(text as string).toString('base64url');

/** A signature of JWS: r and s, each of the size of the curve (RFC 7518 section 3.4). */
export const ecdsa = (key: KeyObject) => (input: string) =>
  sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });

/** A key pair of the curve that the service signs with; the public half is what `FindPublicKey` finds. */
export function newPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, publicKey: { kid: 'key-1', ...publicKey.export({ format: 'jwk' }) } as PublicKey };
}

/** Claims of a session of the instance `instance`, for an hour from `seconds` on. */
export const claimsAt = (seconds: number, instance: string) => ({
  iss: `urn:core-account:${instance}`,
  aud: `urn:core-account:${instance}`,
  sub: 'b0a6d0c8-24f1-4b52-9b4f-8f6d8a2c7f10',
  name: 'Ada',
  sst: 'stamp-1',
  iat: seconds,
  nbf: seconds,
  exp: seconds + 3600,
  jti: 'jti-1',
});

/** Makes tokens that differ from a valid one in the changes only. */
export const forgeOf =
  (header: Members, claims: Members, key: KeyObject) =>
  (changes: Changes = {}): string => {
    const part = (valid: Members, changed: Members | string = {}) =>
      base64url(typeof changed === 'string' ? changed : JSON.stringify({ ...valid, ...changed }));
    const input = `${part(header, changes.header)}.${part(claims, changes.claims)}`;
    return `${input}.${base64url((changes.sign ?? ecdsa(key))(input))}`;
  };
