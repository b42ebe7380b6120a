import type { TokenItem } from '../item/token.ts';
import { ALL_TOKENS, indexedTokens, type Key, tokenKey, tokenNames } from '../table/keys.ts';
import { listPage, type PageRequest } from '../table/listing.ts';
import { getAll, query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { type TokenRecord, tokenRecord } from './record.ts';

/**
 * The tokens of an account by name, in one round trip. A strongly consistent query returns the names, and a query of
 * the index the items. So a token is listed from its creation to its deletion, while its last use may be a second old.
 * A batch reads the items, at most 100, that the index does not have yet.
 */
export async function listTokens(table: Table, username: string): Promise<{ items: TokenRecord[] }> {
  const [names, indexed] = await Promise.all([
    query(table, tokenNames(username)),
    query(table, indexedTokens(username)),
  ]);
  const tokens = new Map<string, TokenItem>(indexed.map((token) => [token.PK, token]));
  const keys = names.map(({ sha256 }) => tokenKey(sha256));
  const missing = keys.filter(({ PK }) => !tokens.has(PK));
  for (const [at, token] of (await getAll(table, missing)).entries())
    if (token) tokens.set((missing[at] as Key).PK, token);
  return { items: keys.flatMap(({ PK }) => tokens.get(PK) ?? []).map(tokenRecord) };
}

/** The tokens of all accounts, by owner, then name. */
export const browseTokens = (table: Table, request: PageRequest) =>
  listPage(table, ALL_TOKENS, request, (item) => tokenRecord(item));
