import type { PublicKeyItem } from '../item/instance.ts';
import { MAX_EXPIRE_HOURS } from '../settings.ts';
import type { KeyVersion } from './key-version.ts';
import { LEAD_MS } from './lead.ts';

/** The public half of a key, revoked or retired as it may be. */
export const publicHalfOf = (key: KeyVersion | undefined, items: readonly PublicKeyItem[]) =>
  key && items.find(({ jwk }) => jwk.kid === key.jwk.kid);

/** Whether the longest token that the key signs at the time `now` verifies until it expires. */
export const outlivesTokens = (item: PublicKeyItem | undefined, now: number) =>
  item !== undefined &&
  item.revoked_at === undefined &&
  (item.expires_at === undefined || item.expires_at * 1000 >= now + MAX_EXPIRE_HOURS * 3_600_000);

/** When every verifier knows the key: from then on it signs. In milliseconds since the epoch. */
export const signsFrom = ({ published_at }: PublicKeyItem) =>
  published_at === undefined ? 0 : published_at * 1000 + LEAD_MS;

/**
 * Which key signs at the time `now`: the current one once every verifier knows it, until then the one that has signed
 * so far, or the current one all the same where there is no other: an instance without any key has no verifiers yet,
 * and one whose key was revoked has nothing better.
 *
 * @param signing the key of the stage `SIGNING`
 * @param items all public keys of the table
 * @returns undefined where each is revoked or is not published
 */
export function chooseKey<Key extends KeyVersion>(
  current: Key | undefined,
  signing: Key | undefined,
  items: readonly PublicKeyItem[],
  now: number,
): Key | undefined {
  const isGood = (key: KeyVersion | undefined) => outlivesTokens(publicHalfOf(key, items), now);
  const item = publicHalfOf(current, items);
  if (item && isGood(current) && now >= signsFrom(item)) return current;
  return [signing, current].find(isGood);
}
