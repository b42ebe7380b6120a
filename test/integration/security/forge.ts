import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { parsePrivateKey } from '#lib/session/key-version';
import { openSecrets } from '#lib/session/signing-key';
import { createUser, get, noted, target, type User } from '../service.ts';

type Json = Readonly<Record<string, unknown>>;

/** What differs from a good token: members to change (undefined removes one), or the whole text. */
export interface Changes {
  readonly header?: Json | string | Uint8Array;
  readonly claims?: Json | string | Uint8Array;
  /** Signs instead of the key of the instance. */
  readonly key?: KeyObject;
  /** Stands instead of the signature; it receives the signing input of RFC 7515. */
  readonly signature?: (input: string) => string;
}

/** All that a forger could know, and the key that none knows: so each forgery is wrong in one thing only. */
export interface Forge {
  readonly user: User;
  readonly other: User;
  readonly header: Json;
  readonly claims: Json;
  readonly jwks: string;
  readonly publicKey: KeyObject;
  readonly stranger: KeyObject;
  /** A token as the service signs it, but for the changes. */
  readonly mint: (changes?: Changes) => string;
  /** Signs a text as it is with the key of the instance. */
  readonly seal: (input: string) => string;
}

export const base64url = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64url');

/** A signature of JWS: r and s, each of the size of the curve (RFC 7518 section 3.4). */
export const ecdsa = (key: KeyObject, input: string) =>
  sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });

export const now = () => Math.floor(Date.now() / 1000);

const textOf = (good: Json, changed: Json | string | Uint8Array = {}) =>
  typeof changed === 'string' || changed instanceof Uint8Array
    ? changed
    : JSON.stringify({ ...good, ...changed });

/** Reads the private key of the instance under test, as its login function does. */
async function signingKey() {
  const { signingKey: SecretId } = await target();
  const { SecretString } = await openSecrets().send(new GetSecretValueCommand({ SecretId }));
  const jwk = parsePrivateKey(SecretString);
  if (!jwk) throw new Error('The instance has no signing key');
  noted(jwk.d as string);
  return { kid: jwk.kid, key: createPrivateKey({ key: { ...jwk }, format: 'jwk' }) };
}

/** Claims of a session of an account that lasts an hour from now. */
export async function claimsOf({ account: { id, username, stamp } }: Pick<User, 'account'>): Promise<Json> {
  const { runtime } = await target();
  const issuer = `urn:core-account:${runtime.instanceName}`;
  const times = { iat: now(), nbf: now(), exp: now() + 3600 };
  return { iss: issuer, aud: issuer, sub: id, name: username, sst: stamp, ...times, jti: randomUUID() };
}

/** Opens a forge with two accounts of its own. */
export async function openForge(): Promise<Forge> {
  const [{ kid, key: real }, user, other] = await Promise.all([signingKey(), createUser(), createUser()]);
  const header = { alg: 'ES256', kid, typ: 'at+jwt' };
  const claims = await claimsOf(user);
  const mint = ({
    key = real,
    signature = (input) => base64url(ecdsa(key, input)),
    ...changes
  }: Changes = {}) => {
    const input = `${base64url(textOf(header, changes.header))}.${base64url(textOf(claims, changes.claims))}`;
    return `${input}.${signature(input)}`;
  };
  return {
    user,
    other,
    header,
    claims,
    jwks: (await get('/api/core/system/jwks')).text,
    publicKey: createPublicKey(real),
    stranger: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    mint,
    seal: (input) => `${input}.${base64url(ecdsa(real, input))}`,
  };
}
