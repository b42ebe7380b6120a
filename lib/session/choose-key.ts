import type { PublicKeyItem } from '../item/instance.ts';
import type { KeyVersion } from './key-version.ts';
import { LEAD_MS } from './lead.ts';
import { MAX_AGE_SECONDS } from './session-token.ts';

/** Finds the public half of a key, even when it is revoked or retired. */
export const publicHalfOf = (key: Pick<KeyVersion, 'jwk'> | undefined, items: readonly PublicKeyItem[]) =>
  key && items.find(({ jwk }) => jwk.kid === key.jwk.kid);

/** Whether the longest token that the key signs at `now` (in milliseconds) verifies until it expires. */
export const outlivesTokens = (item: PublicKeyItem | undefined, now: number) =>
  item !== undefined &&
  item.revoked_at === undefined &&
  (item.expires_at === undefined || item.expires_at * 1000 >= now + MAX_AGE_SECONDS * 1000);

/** Time from which every verifier knows the key, so that it may sign; in milliseconds since the epoch. */
export const signsFrom = ({ published_at }: PublicKeyItem) =>
  published_at === undefined ? 0 : published_at * 1000 + LEAD_MS;

/**
 * Chooses the key that signs at `now`: the current one when every verifier knows it, otherwise the one before.
 * The current one also signs at once when no other is valid: the first key of an instance, and the successor of a
 * revoked key.
 *
 * @param signing key of the stage `SIGNING`
 * @param items all public keys of the table
 * @returns undefined when each key is revoked or not published
 */
export function chooseKey<Key extends Pick<KeyVersion, 'jwk'>>(
  current: Key | undefined,
  signing: Key | undefined,
  items: readonly PublicKeyItem[],
  now: number,
): Key | undefined {
  const isGood = (key: Key | undefined) => outlivesTokens(publicHalfOf(key, items), now);
  const item = publicHalfOf(current, items);
  if (item && isGood(current) && now >= signsFrom(item)) return current;
  return [signing, current].find(isGood);
}
