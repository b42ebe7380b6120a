import { createPublicKey } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { endpoint } from '#lib/handler/endpoint';
import { resourceKeySet } from '#lib/oauth/jwks';
import { contract } from '#lib/oauth/jwks.contract';
import { authorizationServer } from '#lib/oauth/metadata';
import { RESOURCE_KEYS } from '#lib/resource/key-use';
import { signerOf } from '#lib/session/key-version';
import { revokeKey } from '#lib/session/publish-key';
import { resourceKeyItemKey } from '#lib/table/keys';
import { query } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { call, openEndpoints } from '../support/endpoints.ts';
import { newKeyPair, publishKey, publishResourceKey } from '../support/signing-keys.ts';

const bench = await openEndpoints();
const { table, clock, runtime, operations, wire } = bench;
beforeEach(async () => {
  for (const { jwk } of await query(table, RESOURCE_KEYS.all))
    await remove(table, resourceKeyItemKey(jwk.kid));
  wire.reset();
});
const handler = endpoint(contract, (_request, own) => resourceKeySet({ ...own, now: clock }));
const keys = async () => (await resourceKeySet(runtime)).data.keys;
const kids = async () => (await keys()).map(({ kid }) => kid).sort();

test('the key set has exactly the public members of each RSA key, and no key of sessions', async () => {
  await publishKey(table);
  const { publicJwk, privateJwk, kid } = await publishResourceKey(table);
  const set = await keys();
  expect(set).toEqual([{ kty: 'RSA', n: publicJwk.n, e: 'AQAB', kid, alg: 'RS256', use: 'sig' }]);
  for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi'] as const)
    expect(JSON.stringify(set)).not.toContain(privateJwk[member]);
  const [key] = set;
  expect(createPublicKey({ key: { ...key }, format: 'jwk' }).asymmetricKeyDetails?.modulusLength).toBe(2048);
});

test('the key set has no private member, although the table has', async () => {
  const pair = await newKeyPair('RS256');
  await put(table, resourceKeyItemKey(pair.kid), { jwk: pair.privateJwk as typeof pair.publicJwk });
  expect(Object.keys((await keys())[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

test('the key set loses a key when it is revoked, and when it expires', async () => {
  const [one, other, third] = [
    await publishResourceKey(table),
    await publishResourceKey(table),
    await publishResourceKey(table),
  ];
  const item = { jwk: other.publicJwk, expires_at: clock() / 1000 + 60 };
  await put(table, resourceKeyItemKey(other.kid), item);
  expect(await kids()).toEqual([one, other, third].map(({ kid }) => kid).sort());
  await revokeKey(table, one.kid, clock(), RESOURCE_KEYS);
  expect(await kids()).toEqual([other, third].map(({ kid }) => kid).sort());
  clock.time += 60_000;
  expect(await kids()).toEqual([third.kid]);
  expect(() => signerOf(third.privateJwk)).not.toThrow();
});

test('the key set is read once, with one query', async () => {
  await publishResourceKey(table);
  wire.reset();
  await call(handler);
  expect(operations()).toEqual(['Query']);
});

test('an empty key set may not be stored, since the first key signs as soon as it is published', async () => {
  const { status, headers, payload } = await call(handler);
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(JSON.parse(payload as string)).toEqual({ keys: [] });
});

test('the key set is the same for every origin, may be kept for an hour, on the way for five minutes, and is compared by its tag', async () => {
  await publishResourceKey(table);
  const { status, headers, payload } = await call(handler, {
    headers: { origin: 'https://any.example.com' },
  });
  expect([status, headers]).toMatchObject([
    200,
    {
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=3600, s-maxage=300',
      'content-type': 'application/jwk-set+json',
      etag: expect.stringMatching(/^(W\/)?".+"$/),
    },
  ]);
  expect(JSON.parse(payload as string).keys).toHaveLength(1);
  const known = { headers: { 'if-none-match': headers['etag'] ?? '' } };
  expect(await call(handler, known)).toMatchObject({ status: 304, payload: '' });
  await publishResourceKey(table);
  expect(await call(handler, known)).toMatchObject({ status: 200 });
});

test('a revocation changes the tag at once', async () => {
  const { kid } = await publishResourceKey(table);
  await publishResourceKey(table);
  const { headers } = await call(handler);
  await revokeKey(table, kid, clock(), RESOURCE_KEYS);
  expect((await call(handler, { headers: { 'if-none-match': headers['etag'] ?? '' } })).status).toBe(200);
});

test('metadata name the path of the key set', () => {
  const { issuer, jwks_uri } = authorizationServer({ Issuer: 'https://id.example.com', ApiUrl: '' });
  expect(jwks_uri).toBe(`${issuer}${contract.path}`);
});
