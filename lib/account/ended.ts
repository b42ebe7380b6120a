import type { Cause } from '../failure/cause.ts';
import type { Account, Ended } from '../item/account.ts';
import { CLOCK_SKEW_SECONDS } from '../session/session-token.ts';

/** Maximum of ended sessions and secrets in the item of an account, which every request reads. */
export const MAX_ENDED = 100;

/**
 * Whether a session ended before it expired, or the secret of the token that logged it in.
 *
 * @param ids of the session and the secret
 * @param now in milliseconds since the epoch
 */
export const hasEnded = ({ ended }: Account, ids: readonly (string | undefined)[], now: number): boolean =>
  ended !== undefined &&
  ids.some((id) => id !== undefined && (ended[id]?.at ?? Number.POSITIVE_INFINITY) <= now);

/**
 * The reason why a session of an account ended before it expired; undefined if the session is open.
 *
 * @param ids of the session, and of the secret that has logged it in
 * @param now in milliseconds since the epoch
 */
export function endOf(
  account: Account,
  stamp: string,
  [session, secret]: readonly [string, string | undefined],
  now: number,
): Cause | undefined {
  if (hasEnded(account, [session], now)) return 'session_ended';
  if (hasEnded(account, [secret], now)) return 'secret_ended';
  return account.stamp === stamp ? undefined : 'stamp_changed';
}

type Entries = Readonly<Record<string, Ended>>;

/**
 * The attributes of an account with more ended sessions or secrets. Entries whose sessions have expired are dropped; above
 * {@link MAX_ENDED}, a new security stamp replaces the earlier ones.
 *
 * @param stamp the security stamp in that case
 * @param now in milliseconds since the epoch
 */
export function withEnded({ ended = {} }: Account, entries: Entries, stamp: string, now: number) {
  const needed = Object.entries(ended).filter(([, { until }]) => until + CLOCK_SKEW_SECONDS > now / 1000);
  const all: Entries = { ...Object.fromEntries(needed), ...entries };
  // The new entries stay: a request that was authenticated before is refused by them.
  return Object.keys(all).length > MAX_ENDED ? { ended: entries, stamp } : { ended: all };
}
