import { beforeEach, describe, expect, test } from 'vitest';
import { CHECK_MS } from '#lib/session/lead';
import { cachedPublicKeys, MISS_MS, readPublicKeys } from '#lib/session/public-keys';
import { revokeKey } from '#lib/session/publish-key';
import { assign } from '#lib/table/expressions';
import { publicKeyItemKey } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { NOON } from '../support/engine.ts';
import { openKeyRing } from './key-ring.ts';

const { table, wire, clock, operations, publish, removeKey } = await openKeyRing();
const SECONDS = NOON / 1000;

test.each([
  ['returns a key before its expiry', SECONDS, NOON - 1, true],
  ['drops a key at its expiry', SECONDS, NOON, false],
  ['drops a key after its expiry', SECONDS, NOON + 1, false],
  ['returns a key without an expiry at any time', undefined, NOON * 2, true],
] as const)('readPublicKeys %s', async (_name, expires_at, now, verifies) => {
  const { publicJwk } = await publish(expires_at === undefined ? {} : { expires_at });
  const found = await readPublicKeys(table, now);
  expect(found.map(({ jwk }) => jwk)).toEqual(verifies ? [publicJwk] : []);
});

test('readPublicKeys leaves out a revoked key whose expiry login has removed', async () => {
  await publish({ revoked_at: SECONDS });
  expect(await readPublicKeys(table, NOON)).toEqual([]);
});

describe('cachedPublicKeys', () => {
  let find: ReturnType<typeof cachedPublicKeys>;
  let kid: string;
  beforeEach(async () => {
    ({ kid } = await publish());
    find = cachedPublicKeys(table, clock);
    await find(kid);
    wire.reset();
  });

  const isFound = async (id: string) => (await find(id)) !== undefined;
  const at = (ms: number) => {
    clock.time = NOON + ms;
  };

  test('counts the age of its cache from the beginning of the read', async () => {
    find = cachedPublicKeys(table, clock);
    wire.script(() => {
      at(CHECK_MS);
      return undefined;
    });
    await find(kid);
    wire.reset();
    await find.stillVerifies(kid);
    expect(operations()).toEqual(['Query']);
  });

  test('returns the same object until the key changes', async () => {
    const before = await find(kid);
    const again = async () => {
      clock.time += CHECK_MS;
      expect(await find.stillVerifies(kid)).toBe(true);
      return find(kid);
    };
    expect((await again()) === before).toBe(true);
    const { publicJwk } = await publish();
    await publish({ jwk: { ...publicJwk, kid } });
    expect((await again()) === before).toBe(false);
  });

  test('queries for unknown keys once in a second, however many are named, and finds a new one then', async () => {
    for (let n = 0; n < 100; n++) expect(await isFound(`unknown-${n}`)).toBe(false);
    at(MISS_MS);
    expect([await isFound('unknown'), await isFound(kid)]).toEqual([false, true]);
    expect(operations()).toEqual(['Query']);
    const other = await publish();
    wire.reset();
    at(MISS_MS + 1);
    expect(await isFound(other.kid)).toBe(true);
    expect(operations()).toEqual(['Query']);
  });

  test('throws when an unknown key cannot be looked up, and looks it up again at once', async () => {
    const other = await publish();
    wire.script(() => DOWN);
    await expect(find(other.kid)).rejects.toMatchObject({ name: 'InternalServerError' });
    wire.reset();
    expect(await isFound(other.kid)).toBe(true);
  });

  test.each([
    ['was revoked', () => revokeKey(table, kid, NOON)],
    ['was removed', () => removeKey(kid)],
    [
      'has expired',
      () => update(table, { Key: publicKeyItemKey(kid), ...assign({ expires_at: SECONDS + 1 }, {}) }),
    ],
  ])(
    'stillVerifies reads the keys again after five seconds, then refuses one that %s',
    async (_what, end) => {
      await end();
      wire.reset();
      at(CHECK_MS - 1);
      expect([await find.stillVerifies(kid), await isFound(kid)]).toEqual([true, true]);
      expect(operations()).toEqual([]);
      at(CHECK_MS);
      wire.script(() => DOWN);
      expect(await find.stillVerifies(kid), 'during an outage of the table').toBe(true);
      wire.reset();
      expect([await find.stillVerifies(kid), await isFound(kid)]).toEqual([false, false]);
      expect(operations().length).toBeGreaterThan(0);
    },
  );
});
