import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { PublicKeyItem } from '#lib/item/instance';
import { logIn } from '#lib/login/login';
import type { Runtime } from '#lib/runtime';
import { type PrivateKey, signerOf } from '#lib/session/key-version';
import type { SigningKey } from '#lib/session/session-token';
import { publicKeyItemKey, resourceKeyItemKey } from '#lib/table/keys';
import type { Table } from '#lib/table/table';
import { put } from '#lib/table/write';
import { gatewayEvent } from './gateway-event.ts';

/** A new key pair: to sign with, as the table keeps its public half, and as the secret keeps it. */
export async function newKeyPair(
  alg: 'ES256' | 'RS256' = 'ES256',
): Promise<SigningKey & { readonly publicJwk: PublicKeyItem['jwk']; readonly privateJwk: PrivateKey }> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  const named = { kid, alg, use: 'sig' };
  const privateJwk = { ...(await exportJWK(privateKey)), ...named };
  return { ...signerOf(privateJwk), publicJwk: { ...jwk, ...named }, privateJwk };
}

/** A new key; its public half is stored in the table. */
export async function publishKey(table: Table, expires_at?: number) {
  const pair = await newKeyPair();
  await put(table, publicKeyItemKey(pair.kid), {
    jwk: pair.publicJwk,
    ...(expires_at === undefined ? {} : { expires_at }),
  });
  return pair;
}

/** The same for a key of tokens for other services. */
export async function publishResourceKey(table: Table) {
  const pair = await newKeyPair('RS256');
  await put(table, resourceKeyItemKey(pair.kid), { jwk: pair.publicJwk });
  return pair;
}

/** Logs in with an API token; the key signs the session. */
export async function logInByToken(runtime: Runtime, key: SigningKey, password: string) {
  const signing = { ...runtime, signingKey: async () => key };
  return (await logIn(signing, { username: 'api', password }, gatewayEvent())).data;
}
