import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import type { PublicKeyItem } from '#lib/item/instance';
import { jwks } from '#lib/system/contracts';
import { publicKeySet } from '#lib/system/jwks';
import { publicKeyItemKey } from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { NOON, openTestTable } from '../support/engine.ts';

const { table, clock, runtime } = await openTestTable();

/** Puts a public key into the table, and nothing else. */
async function holdKey(more: Partial<PublicKeyItem> = {}, members: object = {}) {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  const item = { jwk: { ...jwk, kid, ...members }, ...more } as PublicKeyItem;
  await put(table, publicKeyItemKey(kid), item);
  return { kid, jwk, release: () => remove(table, publicKeyItemKey(kid)) };
}

const published = async () =>
  JSON.parse(JSON.stringify((await publicKeySet(runtime)).data)) as { keys: object[] };

test('an instance without keys publishes none', async () => {
  expect(await published()).toEqual({ keys: [] });
});

test('no set without keys may be kept, every other as the contract says', async () => {
  const headers = async () => (await publicKeySet(runtime)).headers;
  expect(await headers()).toEqual({ 'cache-control': 'no-store' });
  const { release } = await holdKey();
  expect(await headers()).toEqual({});
  await release();
  const { release: forget } = await holdKey({ revoked_at: NOON / 1000, expires_at: 0 });
  expect(await published()).toEqual({ keys: [] });
  expect(await headers()).toEqual({ 'cache-control': 'no-store' });
  await forget();
});

test('a public key is published with its public members only, in the shape of the contract', async () => {
  const secret = { d: 'secret', key_ops: ['sign'], ext: true, alg: 'none', use: 'enc' };
  const { kid, jwk, release } = await holdKey({}, secret);
  const set = await published();
  expect(set.keys).toStrictEqual([
    { kty: 'EC', crv: 'P-256', x: jwk.x, y: jwk.y, kid, alg: 'ES256', use: 'sig' },
  ]);
  expect(jwks.response().safeParse(set).success).toBe(true);
  await release();
});

test('a retired key is published until the tokens signed with it have expired', async () => {
  const keys = [
    await holdKey(),
    await holdKey({ expires_at: NOON / 1000 + 1 }),
    await holdKey({ expires_at: NOON / 1000 }),
  ];
  const kids = keys.map(({ kid }) => kid);
  const idsAt = async (time: number) => {
    clock.time = time;
    return (await publicKeySet(runtime)).data.keys.map(({ kid }) => kids.indexOf(kid)).sort();
  };
  expect(await idsAt(NOON - 1)).toEqual([0, 1, 2]);
  expect(await idsAt(NOON)).toEqual([0, 1]);
  expect(await idsAt(NOON + 1000)).toEqual([0]);
  for (const { release } of keys) await release();
});

test('a key without coordinates, which no instance makes, is published as empty', async () => {
  const { release } = await holdKey({}, { x: undefined, y: undefined });
  expect((await published()).keys).toMatchObject([{ kty: 'EC', x: '', y: '' }]);
  await release();
});
