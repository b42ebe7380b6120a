import { readAccount } from '../account/account.ts';
import type { Actor } from '../event/account-event.ts';
import { ignore } from '../failure.ts';
import type { TokenItem, TokenName } from '../item/token.ts';
import type { Announcing } from '../outbox/announcement.ts';
import { forEach, type Progress, patiently } from '../table/bulk.ts';
import { ALL_TOKENS, foldCase, type Key, nameOfToken, tokenKey, tokenNames } from '../table/keys.ts';
import { everythingIn } from '../table/listing.ts';
import { query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { remove } from '../table/write.ts';
import { deleteToken } from './delete.ts';

/** A token in the index. */
type Found = Pick<TokenItem, 'username' | 'name'> & Key;

/** Tokens to delete, and the number of all tokens. */
export interface Tokens {
  readonly tokens: number;
  readonly found: readonly Found[];
}

/**
 * Finds the tokens created at a time or later. It reads all tokens in the index, which may lack those of the last
 * second.
 *
 * @param since in milliseconds since the epoch
 */
export async function tokensSince(table: Table, since: number): Promise<Tokens> {
  const found: Found[] = [];
  let tokens = 0;
  for await (const page of everythingIn(table, ALL_TOKENS)) {
    tokens += page.length;
    for (const { PK, SK, username, name, token_created_at } of page as (TokenItem & Key)[])
      if (Date.parse(`${token_created_at}Z`) >= since) found.push({ PK, SK, username, name });
  }
  return { tokens, found };
}

/** All tokens of an account, strongly consistent. */
export async function tokensOf(table: Table, username: string): Promise<Tokens> {
  const names = (await query(table, tokenNames(username))) as (TokenName & Key<TokenName>)[];
  const found = names.map((name) => ({ ...tokenKey(name.sha256), username, name: nameOfToken(name) }));
  return { tokens: found.length, found };
}

/**
 * Deletes tokens one by one, each with its event. The next request with one is refused. After an interruption, a new
 * search finds the remaining ones.
 *
 * @param tell receives the number of deleted tokens
 */
export async function revokeTokens(
  runtime: Announcing,
  { tokens, found }: Tokens,
  actor: Actor,
  tell: (progress: Progress) => void = () => undefined,
) {
  let revoked = 0;
  // Deletions of one account run one after another: each of them updates the account.
  const owners = [...Map.groupBy(found, ({ username }) => foldCase(username)).values()];
  await forEach(owners, async (own) => {
    for (const token of own) {
      await patiently(() => revokeToken(runtime, token, actor));
      tell({ done: ++revoked, total: found.length });
    }
  });
  return { tokens, revoked };
}

async function revokeToken(runtime: Announcing, { PK, SK, username, name }: Found, actor: Actor) {
  const { table } = runtime;
  const owner = await readAccount(table, username);
  if (owner) await deleteToken(runtime, owner, name, actor).catch(ignore('token_not_found'));
  // A backup may have a token without its name: DynamoDB does not promise that it holds all of a transaction.
  await remove(table, { PK, SK });
}
