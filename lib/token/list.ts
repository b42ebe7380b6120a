import { ALL_TOKENS, tokenKey, tokenNames } from '../table/keys.ts';
import { listPage, type PageRequest } from '../table/listing.ts';
import { getAll, query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { type TokenRecord, tokenRecord } from './record.ts';

/** The tokens of an account by name, strongly consistent: a query for the names, then one batch of at most 100. */
export async function listTokens(table: Table, username: string): Promise<{ items: TokenRecord[] }> {
  const names = await query(table, tokenNames(username));
  const tokens = await getAll(
    table,
    names.map(({ sha256 }) => tokenKey(sha256)),
  );
  return { items: tokens.flatMap((token) => (token ? [tokenRecord(token)] : [])) };
}

/** The tokens of all accounts, by owner, then name. */
export const browseTokens = (table: Table, request: PageRequest) =>
  listPage(table, ALL_TOKENS, request, (item) => tokenRecord(item));
