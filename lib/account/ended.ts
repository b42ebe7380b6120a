import type { Cause } from '../failure/cause.ts';
import type { Account, Ended } from '../item/account.ts';
import { CLOCK_SKEW_SECONDS } from '../session/session-token.ts';
import { assign } from '../table/expressions.ts';
import { endedKey } from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { TransactWrite } from '../table/write.ts';

/** Maximum of ended sessions and secrets in the item of an account, which every request reads; others have their own. */
export const MAX_ENDED = 100;

/** Ends of sessions and secrets by ID, in milliseconds since the epoch. */
export type Ends = ReadonlyMap<string, number>;

type Until = Pick<Account, 'ended_until'>;

/** Whether session tokens that end in a second may still be valid. */
const isNeeded = (until: number, now: number) => until + CLOCK_SKEW_SECONDS > now / 1000;

/** Whether more sessions of an account have ended than its item holds. */
export const hasMoreEnded = ({ ended_until = 0 }: Until, now: number) => isNeeded(ended_until, now);

/** Ends in the item of an account. */
export const listedEnds = ({ ended = {} }: Pick<Account, 'ended'>): Ends =>
  new Map(Object.entries(ended).map(([id, { at }]) => [id, at]));

/**
 * Ends of sessions and secrets of an account: those in its item and, while there are more, those of `ids` in items of
 * their own.
 *
 * @param now in milliseconds since the epoch
 */
export async function readEnds(
  table: Table,
  account: Account,
  ids: readonly (string | undefined)[],
  now: number,
): Promise<Ends> {
  const listed = listedEnds(account);
  if (!hasMoreEnded(account, now)) return listed;
  const ends = new Map(listed);
  const given = [...new Set(ids)].filter((id) => id !== undefined);
  const keys = given.map((id) => endedKey(account.username, id));
  for (const [index, item] of (await getAll(table, keys)).entries()) {
    const id = given[index] as string;
    // The account may list an earlier end than its own item, which it had no room for: that of a rotation's overlap.
    if (item) ends.set(id, Math.min(item.ended_at, ends.get(id) ?? item.ended_at));
  }
  return ends;
}

/**
 * Whether one of the sessions or secrets has ended.
 *
 * @param now in milliseconds since the epoch
 */
export const hasEnded = (ends: Ends, ids: readonly (string | undefined)[], now: number): boolean =>
  ids.some((id) => id !== undefined && (ends.get(id) ?? Number.POSITIVE_INFINITY) <= now);

/**
 * The reason why a session of an account ended before it expired; undefined if the session is open.
 *
 * @param ids of the session, and of the secret that has logged it in
 * @param now in milliseconds since the epoch
 */
export function endOf(
  account: Account,
  ends: Ends,
  stamp: string,
  [session, secret]: readonly [string, string | undefined],
  now: number,
): Cause | undefined {
  if (hasEnded(ends, [session], now)) return 'session_ended';
  if (hasEnded(ends, [secret], now)) return 'secret_ended';
  return account.stamp === stamp ? undefined : 'stamp_changed';
}

type Entries = Readonly<Record<string, Ended>>;

/** The changes that end sessions and secrets: of their account, which must be as read, and of other items. */
export interface Ending {
  readonly to: Pick<Account, 'ended' | 'ended_until'>;
  readonly writes: readonly TransactWrite[];
}

/**
 * Ends more sessions or secrets of an account. Entries whose sessions have expired are dropped. Above {@link MAX_ENDED},
 * the new ones get items of their own.
 *
 * @param now in milliseconds since the epoch
 */
export function withEnded(account: Account, entries: Entries, now: number): Ending {
  const { username, ended = {}, ended_until = 0 } = account;
  const needed = Object.fromEntries(Object.entries(ended).filter(([, { until }]) => isNeeded(until, now)));
  const all: Entries = { ...needed, ...entries };
  if (Object.keys(all).length <= MAX_ENDED) return { to: { ended: all }, writes: [] };
  const isListed = ([id]: readonly [string, Ended]) => Object.hasOwn(needed, id);
  const [listed, apart] = [true, false].map((is) =>
    Object.entries(entries).filter((entry) => isListed(entry) === is),
  ) as [[string, Ended][], [string, Ended][]];
  const until = Math.max(ended_until, ...apart.map(([, entry]) => entry.until));
  const ttl = until + CLOCK_SKEW_SECONDS;
  return {
    to: { ended: { ...needed, ...Object.fromEntries(listed) }, ended_until: until },
    writes: apart.map(([id, { at }]) => ({
      Update: { Key: endedKey(username, id), ...assign({ ended_at: at, ttl }, {}) },
    })),
  };
}

/** Attributes of an account as read that {@link withEnded} replaces. */
export const endedAsRead = ({ ended, ended_until }: Account) => ({ ended, ended_until });
