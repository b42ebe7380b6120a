import { isDeepStrictEqual } from 'node:util';
import { type CryptoKey, importJWK } from 'jose';
import type { PublicKeyItem } from '../item/instance.ts';
import { allPublicKeys } from '../table/keys.ts';
import { query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { Clock } from '../time.ts';
import { CHECK_MS } from './lead.ts';
import type { FindPublicKey } from './session-token.ts';

/** How long an execution environment trusts what it read. A key it does not know it looks up at once ... */
export const FRESH_MS = 5 * 60_000;

/**
 * ... unless one was looked up in vain so short a time ago: tokens that name keys at random cost a query a second at
 * most. A key stands in the table for longer than that before it signs.
 */
export const MISS_MS = 1000;

/** The keys that verify at the time `now`. */
export async function readPublicKeys(table: Table, now: number): Promise<PublicKeyItem[]> {
  const items = await query(table, allPublicKeys);
  return items.filter(({ expires_at }) => expires_at === undefined || expires_at * 1000 > now);
}

/** Finds public keys, and tells whether a key that it has found verifies still. */
export interface CachedPublicKeys extends FindPublicKey {
  /**
   * Reads the keys again where what is held is older than five seconds: to be asked while the caller reads something
   * else. Where the table is out of reach, a key that is held is good.
   */
  readonly stillVerifies: (kid: string) => Promise<boolean>;
}

interface HeldKey {
  readonly jwk: PublicKeyItem['jwk'];
  readonly key: CryptoKey;
}

/** A key that has not changed stays the same object: by that, what it has verified is known. */
const holding = async (jwk: HeldKey['jwk'], before: HeldKey | undefined): Promise<HeldKey> =>
  before && isDeepStrictEqual(before.jwk, jwk)
    ? before
    : { jwk, key: (await importJWK(jwk, 'ES256')) as CryptoKey };

/**
 * Finds public keys in the table and holds them for five minutes. Should the table be out of reach then,
 * those held go on verifying.
 */
export function cachedPublicKeys(table: Table, now: Clock): CachedPublicKeys {
  let held = new Map<string, HeldKey>();
  let readAt = Number.NEGATIVE_INFINITY;
  let missedAt = Number.NEGATIVE_INFINITY;

  const refresh = async () => {
    const started = now();
    const items = await readPublicKeys(table, started);
    const keys = await Promise.all(items.map(({ jwk }) => holding(jwk, held.get(jwk.kid))));
    held = new Map(keys.map((each) => [each.jwk.kid, each]));
    readAt = started;
  };

  const find: FindPublicKey = async (kid) => {
    const isDue = held.has(kid) ? now() - readAt > FRESH_MS : now() - missedAt > MISS_MS;
    if (isDue) {
      try {
        await refresh();
      } catch (error) {
        if (!held.has(kid)) throw error;
      }
    }
    const found = held.get(kid)?.key;
    if (isDue && !found) missedAt = now();
    return found;
  };

  return Object.assign(find, {
    stillVerifies: async (kid: string) => {
      if (now() - readAt >= CHECK_MS) await refresh().catch(() => undefined);
      return held.has(kid);
    },
  });
}
