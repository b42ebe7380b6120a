import type { Account, Ended } from '../item/account.ts';
import { CLOCK_SKEW_SECONDS } from '../session/session-token.ts';

/** Most entries of an account: its item is read for every request. */
export const MAX_ENDED = 100;

/**
 * Whether a session, or the secret of the token that has logged it in, has ended before its time.
 *
 * @param ids of the session and the secret
 * @param now in milliseconds since the epoch
 */
export const hasEnded = ({ ended }: Account, ids: readonly (string | undefined)[], now: number): boolean =>
  ended !== undefined &&
  ids.some((id) => id !== undefined && (ended[id]?.at ?? Number.POSITIVE_INFINITY) <= now);

/**
 * The attributes of an account with one more ended session or secret. Entries whose sessions have expired are dropped;
 * at {@link MAX_ENDED} others, a new security stamp replaces those.
 *
 * @param stamp the security stamp in that case
 * @param now in milliseconds since the epoch
 */
export function withEnded({ ended = {} }: Account, id: string, end: Ended, stamp: string, now: number) {
  const needed = Object.entries(ended).filter(([, { until }]) => until + CLOCK_SKEW_SECONDS > now / 1000);
  const all: Readonly<Record<string, Ended>> = { ...Object.fromEntries(needed), [id]: end };
  // The new entry stays: a request that was authenticated before is refused by it.
  return Object.keys(all).length > MAX_ENDED ? { ended: { [id]: end }, stamp } : { ended: all };
}
