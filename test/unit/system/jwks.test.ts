import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import type { PublicKeyItem } from '#lib/item/instance';
import { publicKeySet } from '#lib/system/jwks';
import { contract as jwks } from '#lib/system/jwks.contract';
import { publicKeyItemKey } from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { NOON, openTestTable } from '../support/engine.ts';

const { table, runtime } = await openTestTable();

/** Stores a public key only; `forget` removes it again. */
async function storeKey(more: Partial<PublicKeyItem> = {}, members: object = {}) {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  const item = { jwk: { ...jwk, kid, ...members }, ...more } as PublicKeyItem;
  await put(table, publicKeyItemKey(kid), item);
  return { kid, jwk, forget: () => remove(table, publicKeyItemKey(kid)) };
}

const published = async () => {
  const { data, headers } = await publicKeySet(runtime);
  return { keys: JSON.parse(JSON.stringify(data.keys)) as object[], headers };
};

const EMPTY = { keys: [], headers: { 'cache-control': 'no-store' } };

test('an empty set is not cacheable, and any other has the lifetime of the contract', async () => {
  expect(await published()).toEqual(EMPTY);
  const revoked = await storeKey({ revoked_at: NOON / 1000, expires_at: 0 });
  const expired = await storeKey({ expires_at: NOON / 1000 });
  expect(await published()).toEqual(EMPTY);
  const valid = await storeKey();
  expect(await published()).toMatchObject({ keys: [{ kid: valid.kid }], headers: {} });
  expect((await published()).headers).toEqual({});
  for (const { forget } of [revoked, expired, valid]) await forget();
});

test('a key is published with its public members only, in the shape of the contract', async () => {
  const secret = { d: 'secret', key_ops: ['sign'], ext: true, alg: 'none', use: 'enc' };
  const { kid, jwk, forget } = await storeKey({}, secret);
  const { keys } = await published();
  expect(keys).toStrictEqual([
    { kty: 'EC', crv: 'P-256', x: jwk.x, y: jwk.y, kid, alg: 'ES256', use: 'sig' },
  ]);
  expect(jwks.response().safeParse({ keys }).success).toBe(true);
  await forget();
});

test('a key without coordinates is published with empty ones', async () => {
  const { forget } = await storeKey({}, { x: undefined, y: undefined });
  expect((await published()).keys).toMatchObject([{ kty: 'EC', x: '', y: '' }]);
  await forget();
});
