import type { PublicKeyItem } from '../item/instance.ts';
import { type KeyUse, SESSION_KEYS } from './key-use.ts';
import type { KeyVersion } from './key-version.ts';

/** Finds the public half of a key, even when it is revoked or retired. */
export const publicHalfOf = (key: Pick<KeyVersion, 'jwk'> | undefined, items: readonly PublicKeyItem[]) =>
  key && items.find(({ jwk }) => jwk.kid === key.jwk.kid);

/** Whether the longest token that the key signs at `now` (in milliseconds) verifies until it expires. */
export const outlivesTokens = (
  item: PublicKeyItem | undefined,
  now: number,
  { maxAgeSeconds } = SESSION_KEYS,
) =>
  item !== undefined &&
  item.revoked_at === undefined &&
  (item.expires_at === undefined || item.expires_at * 1000 >= now + maxAgeSeconds * 1000);

/** Time from which every verifier knows the key, so that it may sign; in milliseconds since the epoch. */
export const signsFrom = ({ published_at }: PublicKeyItem, { leadMs } = SESSION_KEYS) =>
  published_at === undefined ? 0 : published_at * 1000 + leadMs;

/** The keys of a ring whose longest token verifies until it expires, in the order of the ring. */
const goodOf = <Key extends Pick<KeyVersion, 'jwk'>>(
  ring: readonly (Key | undefined)[],
  items: readonly PublicKeyItem[],
  now: number,
  use: KeyUse,
) => ring.filter((key): key is Key => outlivesTokens(publicHalfOf(key, items), now, use));

/**
 * When the first key of a ring for which {@link chooseKey} has chosen none signs, unless the other secret loses its keys; in
 * milliseconds since the epoch. Undefined if none is good, so that nothing but a rotation helps.
 */
export function signsNext(
  ring: readonly (KeyVersion | undefined)[],
  items: readonly PublicKeyItem[],
  now: number,
  use: KeyUse,
): number | undefined {
  const times = goodOf(ring, items, now, use).map((key) =>
    signsFrom(publicHalfOf(key, items) as PublicKeyItem, use),
  );
  return times.length > 0 ? Math.min(...times) : undefined;
}

/**
 * Chooses the key that signs at `now`: of two good keys that every verifier knows, the current one, or the one before if
 * the current one is its successor. If verifiers know none, a good one signs at once: the first key of an instance, and the
 * successor of a revoked one.
 *
 * Not while another secret has a good key for other services: a stack that has adopted a table waits, since gateways know the
 * keys of the former stack, which signs.
 *
 * @param signing key of the stage `SIGNING`
 * @param items all public keys of the table
 * @returns undefined when each key is revoked or not published, or has to wait
 */
export function chooseKey<Key extends Pick<KeyVersion, 'jwk'>>(
  current: Key | undefined,
  signing: Key | undefined,
  items: readonly PublicKeyItem[],
  now: number,
  use: KeyUse = SESSION_KEYS,
): Key | undefined {
  const half = (key: Key | undefined) => publicHalfOf(key, items);
  const ring = use.hasSuccessor ? [signing, current] : [current, signing];
  const good = goodOf(ring, items, now, use);
  const known = good.find((key) => now >= signsFrom(half(key) as PublicKeyItem, use));
  if (known || good.length === 0) return known;
  if (!use.hasSuccessor) return signing && good.includes(signing) ? signing : current;
  const own = half(good[0])?.secret_id;
  const isOther = (item: PublicKeyItem) =>
    item.secret_id !== own && outlivesTokens(item, now, use) && now >= signsFrom(item, use);
  return items.some(isOther) ? undefined : good[0];
}
