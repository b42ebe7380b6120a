import { isDeepStrictEqual } from 'node:util';
import type { PublicKeyItem } from '../item/instance.ts';
import { query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { Clock } from '../time.ts';
import { SESSION_KEYS } from './key-use.ts';
import { CHECK_MS } from './lead.ts';
import type { FindPublicKey, PublicKey } from './session-token.ts';

/**
 * Pause of an execution environment after a look-up that found no key: tokens that name random keys cost at most one query
 * a second. A key is in the table for longer than that before it signs.
 */
export const MISS_MS = 1000;

/** Reads the keys that verify at `now`, in milliseconds since the epoch. */
export async function readPublicKeys(
  table: Table,
  now: number,
  { all } = SESSION_KEYS,
): Promise<PublicKeyItem[]> {
  const items = await query(table, all);
  return items.filter(
    ({ expires_at, revoked_at }) =>
      revoked_at === undefined && (expires_at === undefined || expires_at * 1000 > now),
  );
}

/** Finds public keys, and checks whether a found key still verifies. */
export interface CachedPublicKeys extends FindPublicKey {
  /**
   * Reads the keys again when the cache is older than {@link CHECK_MS}; call it in parallel with another read. A cached
   * key still verifies during an outage of the table.
   */
  readonly stillVerifies: (kid: string) => Promise<boolean>;
  /** Reads the keys. When the signal ends the read, they are as before. */
  readonly refresh: (signal: AbortSignal) => Promise<void>;
}

/** Keeps the object of a key that has not changed: verified sessions are remembered by it. */
const unchanged = (before: PublicKey | undefined, jwk: PublicKey) =>
  before && isDeepStrictEqual(before, jwk) ? before : jwk;

/** Finds public keys in the table and caches them. An unknown key is looked up at once. */
export function cachedPublicKeys(table: Table, now: Clock): CachedPublicKeys {
  let held = new Map<string, PublicKey>();
  let readAt = Number.NEGATIVE_INFINITY;
  let missedAt = Number.NEGATIVE_INFINITY;

  const refresh = async (from = table) => {
    const started = now();
    const items = await readPublicKeys(from, started);
    held = new Map(items.map(({ jwk }) => [jwk.kid, unchanged(held.get(jwk.kid), jwk)]));
    readAt = started;
  };

  const find: FindPublicKey = async (kid) => {
    if (!held.has(kid) && now() - missedAt > MISS_MS) {
      await refresh();
      if (!held.has(kid)) missedAt = now();
    }
    return held.get(kid);
  };

  return Object.assign(find, {
    stillVerifies: async (kid: string) => {
      if (now() - readAt >= CHECK_MS) await refresh().catch(() => undefined);
      return held.has(kid);
    },
    refresh: (signal: AbortSignal) => refresh({ ...table, signal }),
  });
}
