import { expect, test, vi } from 'vitest';
import type { PublicKeyItem } from '#lib/item/instance';
import { resourceKeySet } from '#lib/oauth/jwks';
import { RESOURCE_KEYS } from '#lib/resource/key-use';
import { resourceKeyFromSecret } from '#lib/resource/resource-key';
import { OF_RESOURCES } from '#lib/resource/rotation';
import { RESOURCE_LEAD_MS } from '#lib/session/lead';
import { revokeKey } from '#lib/session/publish-key';
import { openKeyRing } from '../session/key-ring.ts';

vi.mock('jose', async (original) =>
  (await import('../support/pooled-keys.ts')).withPooledKeys(await original()),
);

const ring = await openKeyRing(OF_RESOURCES);
const { table, clock, runtime, rotate, publish, publicKeys } = ring;

const signs = async () => (await resourceKeyFromSecret(runtime)()).kid;
const listed = async () => (await resourceKeySet(runtime)).data.keys.map(({ kid }) => kid);

/** What a thief with the role of the token endpoint writes beside its key: all attributes of the write are its choice. */
const PRETENCES: [string, (own: PublicKeyItem) => Partial<PublicKeyItem>][] = [
  ['of another secret, which gateways have long known', () => ({ secret_id: 'arn:other', published_at: 1 })],
  ['of no secret', () => ({})],
  [
    'of the secret and the version that signs',
    ({ secret_id = '', secret_version = '' }) => ({ secret_id, secret_version, published_at: 1 }),
  ],
];

test.each(PRETENCES)(
  'a key that a thief has published never signs, and ends by a revocation of every key, as one %s',
  async (_, pretence) => {
    await rotate();
    clock.time += RESOURCE_LEAD_MS;
    const own = await signs();
    const [first] = (await publicKeys()).filter(({ jwk }) => jwk.kid === own);
    const foreign = await publish(pretence(first as PublicKeyItem));
    expect(await listed()).toContain(foreign.kid);
    expect(await signs()).toBe(own);
    await rotate();
    expect(await signs()).not.toBe(foreign.kid);

    const before = await listed();
    for (const kid of before) await revokeKey(table, kid, clock.time, RESOURCE_KEYS);
    expect(await listed()).toEqual([]);
    await rotate();
    const after = await listed();
    expect(after).toHaveLength(2);
    expect(after.filter((kid) => before.includes(kid))).toEqual([]);
    expect(after).toContain(await signs());
  },
);

test('a key of a thief that is left, as one of another secret, stops the new keys until gateways know them', async () => {
  await rotate();
  const own = await listed();
  const foreign = await publish({ secret_id: 'arn:other', published_at: 1 });
  for (const kid of own) await revokeKey(table, kid, clock.time, RESOURCE_KEYS);
  await rotate();
  await expect(signs()).rejects.toMatchObject({ code: 'unavailable' });
  await revokeKey(table, foreign.kid, clock.time, RESOURCE_KEYS);
  expect(await listed()).toContain(await signs());
});
