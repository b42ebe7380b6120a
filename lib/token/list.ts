import { isHeld, type NamesOwner, readNames } from '../account/tokens/names.ts';
import type { Query } from '../contract/contract.ts';
import { isLive, type StoredToken, type TokenItem, tokenIn } from '../item/token.ts';
import type { Runtime } from '../runtime.ts';
import { ALL_TOKENS, allRevocations, indexedTokens, type Key, tokenKey } from '../table/keys.ts';
import { filterText, listPage, MAX_EXAMINED } from '../table/listing.ts';
import { getAll, query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { foldCase } from '../text/fold-case.ts';
import { parseTime } from '../time.ts';
import type { contract as browse } from './browse.contract.ts';
import { tokenRecord } from './record.ts';

export type Reading = Pick<Runtime, 'table' | 'now'>;

/**
 * The tokens of an account by name, in one round trip. A strongly consistent query returns the names, and a query of
 * the index the items. So a token is listed from its creation to its deletion or end, while its last use may be a second old.
 * The items that the index does not have yet are read by their keys.
 */
export async function listTokens({ table, now }: Reading, owner: NamesOwner) {
  const [names, indexed] = await Promise.all([
    readNames(table, owner),
    query(table, indexedTokens(owner.username)),
  ]);
  const tokens = new Map<string, StoredToken>(indexed.map((token) => [token.PK, token]));
  const time = now();
  const keys = names.filter((name) => isHeld(name, time)).map(({ sha256 }) => tokenKey(sha256));
  const missing = keys.filter(({ PK }) => !tokens.has(PK));
  for (const [at, token] of (await getAll(table, missing)).entries())
    if (token) tokens.set((missing[at] as Key).PK, token);
  return { items: keys.flatMap(({ PK }) => tokenIn(tokens.get(PK)) ?? []).map(tokenRecord) };
}

/** A token with its owner and generation. */
type Generated = { readonly username: string; readonly of_generation?: number | undefined };

/**
 * Reads which generations of tokens have ended but still have items, in one query of mostly nothing.
 *
 * @returns whether a token is in one of them
 */
export async function readRevoked(table: Table) {
  const last = new Map<string, number>();
  for (const { revoked_of, revoked_generation } of await query(table, allRevocations)) {
    const name = foldCase(revoked_of);
    last.set(name, Math.max(revoked_generation, last.get(name) ?? 0));
  }
  return ({ username, of_generation = 0 }: Generated) =>
    of_generation <= (last.get(foldCase(username)) ?? -1);
}

/** Whether an account or operator has created the token, which may have several names; without any, whether anyone has. */
export const isCreatedBy = (
  creator: string | readonly string[] | undefined,
  { token_created_by }: TokenItem,
) => creator === undefined || [creator].flat().map(foldCase).includes(foldCase(token_created_by));

/** Whether a token was last used, or created if it was never used, before a time; without a time, always. */
const isUnusedSince = (time = Number.POSITIVE_INFINITY, { token_used_at, token_created_at }: TokenItem) =>
  parseTime(token_used_at ?? token_created_at) < time;

/** The tokens of all accounts, by owner, then name. A page may be short or empty before the last. */
export async function browseTokens(
  { table, now }: Reading,
  query: Query<typeof browse>,
  examine = MAX_EXAMINED,
) {
  const { created_by, unused_since, ...page } = query;
  const time = now();
  const boundTo = filterText({ created_by: created_by && foldCase(created_by), unused_since });
  const filtered = boundTo === undefined ? page : { ...page, boundTo, examine };
  const [{ items, ...rest }, isRevoked] = await Promise.all([
    listPage(table, ALL_TOKENS, filtered, (item) => {
      const token = tokenIn(item);
      const { of_generation } = item;
      const isAsked = token && isCreatedBy(created_by, token) && isUnusedSince(unused_since, token);
      return isAsked && isLive(token, time) ? { ...tokenRecord(token), of_generation } : undefined;
    }),
    readRevoked(table),
  ]);
  const valid = items.filter((token) => !isRevoked(token));
  return { items: valid.map(({ of_generation: _, ...record }) => record), ...rest };
}
