import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cachedPublicKeys, readPublicKeys } from '#lib/session/public-keys';
import { revokeKey } from '#lib/session/publish-key';
import type { SigningKey } from '#lib/session/session-token';
import { signSession, verifySession } from '#lib/session/session-token';
import { allPublicKeys, publicKeyItemKey } from '#lib/table/keys';
import { query } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { NOON, openTestTable } from '../support/engine.ts';
import { publishKey } from '../support/signing-keys.ts';

const { table, wire, clock, runtime, operations } = await openTestTable();
const MINUTE = 60_000;

afterEach(async () => {
  wire.reset();
  for (const { jwk } of await query(table, allPublicKeys)) await remove(table, publicKeyItemKey(jwk.kid));
});

const SECONDS = NOON / 1000;

test.each([
  ['verifies before its expiry', SECONDS, NOON - 1, true],
  ['verifies at its expiry no more', SECONDS, NOON, false],
  ['verifies after its expiry no more', SECONDS, NOON + 1, false],
  ['verifies at any time without an expiry', undefined, NOON * 2, true],
] as const)('a public key %s', async (_name, expires_at, now, verifies) => {
  const { publicJwk } = await publishKey(table, expires_at);
  const found = await readPublicKeys(table, now);
  expect(found.map(({ jwk }) => jwk)).toEqual(verifies ? [publicJwk] : []);
});

describe('what an execution environment holds of the public keys', () => {
  let find: ReturnType<typeof cachedPublicKeys>;
  let key: SigningKey;
  beforeEach(async () => {
    key = await publishKey(table);
    find = cachedPublicKeys(table, clock);
    wire.reset();
  });

  const isFound = async (kid: string) => (await find(kid)) !== undefined;

  test('is the key of each id', async () => {
    const other = await publishKey(table);
    const session = { sub: 'id', name: 'ada', sst: 'stamp' };
    for (const each of [key, other])
      expect(
        await verifySession(runtime, await signSession(runtime, each, session, SECONDS, 60), find),
      ).toMatchObject(session);
    expect((await find(key.kid)) === (await find(other.kid))).toBe(false);
  });

  test('is read once in five minutes', async () => {
    await find(key.kid);
    clock.time = NOON + 5 * MINUTE;
    expect(await isFound(key.kid)).toBe(true);
    expect(operations()).toEqual(['Query']);
    clock.time = NOON + 5 * MINUTE + 1;
    expect(await isFound(key.kid)).toBe(true);
    expect(operations()).toEqual(['Query', 'Query']);
    clock.time = NOON + 10 * MINUTE + 1;
    await find(key.kid);
    expect(operations()).toEqual(['Query', 'Query']);
  });

  test('is the same object as long as the key is the same', async () => {
    const before = await find(key.kid);
    const again = async () => {
      clock.time += 5000;
      expect(await find.stillVerifies(key.kid)).toBe(true);
      return find(key.kid);
    };
    expect((await again()) === before).toBe(true);
    const { publicJwk } = await publishKey(table);
    await put(table, publicKeyItemKey(key.kid), { jwk: { ...publicJwk, kid: key.kid } });
    expect((await again()) === before).toBe(false);
  });

  test('is as old as the beginning of the read', async () => {
    wire.script(() => {
      clock.time = NOON + MINUTE;
      return undefined;
    });
    await find(key.kid);
    wire.reset();
    clock.time = NOON + 5 * MINUTE + 1;
    await find(key.kid);
    expect(operations()).toEqual(['Query']);
  });

  test('says nothing of a key that it does not know: that is looked up at once', async () => {
    await find(key.kid);
    const other = await publishKey(table);
    wire.reset();
    expect(await isFound(other.kid)).toBe(true);
    expect(operations()).toEqual(['Query']);
  });

  test('spends one query a second on keys that nobody has, however many are named', async () => {
    await find(key.kid);
    wire.reset();
    for (let n = 0; n < 100; n++) expect(await isFound(`unknown-${n}`)).toBe(false);
    clock.time = NOON + 1000;
    expect([await isFound('unknown'), await isFound(key.kid)]).toEqual([false, true]);
    expect(operations()).toEqual(['Query']);
    const other = await publishKey(table);
    clock.time = NOON + 1001;
    wire.reset();
    expect(await isFound(other.kid)).toBe(true);
    expect(operations()).toEqual(['Query']);
  });

  test('does not take a key that cannot be looked up for one that nobody has', async () => {
    const other = await publishKey(table);
    wire.script(() => DOWN);
    await expect(find(other.kid)).rejects.toMatchObject({ name: 'InternalServerError' });
    wire.reset();
    expect(await isFound(other.kid)).toBe(true);
  });

  test('loses a key that has been removed or has expired, at the latest after five minutes', async () => {
    const expiring = await publishKey(table, SECONDS + 1);
    await find(key.kid);
    await remove(table, publicKeyItemKey(key.kid));
    clock.time = NOON + 5 * MINUTE;
    expect([await isFound(key.kid), await isFound(expiring.kid)]).toEqual([true, true]);
    clock.time = NOON + 5 * MINUTE + 1;
    expect([await isFound(key.kid), await isFound(expiring.kid)]).toEqual([false, false]);
  });

  test('goes on verifying while the table is down, and is read again at once when it is back', async () => {
    await find(key.kid);
    wire.script(() => DOWN);
    clock.time = NOON + 60 * MINUTE;
    expect(await isFound(key.kid)).toBe(true);
    wire.reset();
    expect(await isFound(key.kid)).toBe(true);
    expect(operations()).toEqual(['Query']);
  });

  test('does not make a key invalid that cannot be looked up', async () => {
    await find(key.kid);
    wire.script(() => DOWN);
    await expect(find('unknown')).rejects.toMatchObject({ name: 'InternalServerError' });
  });

  test('is asked again after five seconds whether a key verifies still, and then refuses one that was revoked', async () => {
    await find(key.kid);
    await revokeKey(table, key.kid, NOON);
    wire.reset();
    clock.time = NOON + 4999;
    expect(await find.stillVerifies(key.kid)).toBe(true);
    expect(operations()).toEqual([]);
    clock.time = NOON + 5000;
    expect([await find.stillVerifies(key.kid), await isFound(key.kid)]).toEqual([false, false]);
    expect(operations().length).toBeGreaterThan(0);
  });

  test('is good where it cannot be asked again, until it can', async () => {
    await find(key.kid);
    await revokeKey(table, key.kid, NOON);
    wire.script(() => DOWN);
    clock.time = NOON + 5000;
    expect(await find.stillVerifies(key.kid)).toBe(true);
    wire.reset();
    expect(await find.stillVerifies(key.kid)).toBe(false);
  });

  test('outlives a key that cannot be read', async () => {
    await find(key.kid);
    await put(table, publicKeyItemKey('broken'), { jwk: { kid: 'broken', kty: 'EC', crv: 'P-256' } });
    clock.time = NOON + 6 * MINUTE;
    expect(await isFound(key.kid)).toBe(true);
    await expect(find('broken')).rejects.toThrow();
  });
});
