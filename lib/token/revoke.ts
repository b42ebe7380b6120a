import { readAccount } from '../account/account.ts';
import { isHeld, type NamesOwner, readNames } from '../account/tokens/names.ts';
import { REQUEST_MS, removeRevoked } from '../account/tokens/remove.ts';
import { endGeneration } from '../account/tokens/revocation.ts';
import { checkMayEnd, isNarrow } from '../account/within.ts';
import { bestEffort } from '../async/best-effort.ts';
import { Answer } from '../contract/answer.ts';
import type { Actor } from '../event/event.ts';
import { ignore } from '../failure/failure.ts';
import type { Account } from '../item/account.ts';
import { type CredentialLimits, isLive, type StoredToken, type TokenItem, tokenIn } from '../item/token.ts';
import type { Announcing } from '../outbox/announcement.ts';
import { forEach, type Progress, patiently } from '../table/bulk.ts';
import { ALL_TOKENS, type Key, nameOfToken, tokenKey } from '../table/keys.ts';
import { everythingIn } from '../table/listing.ts';
import { getAll } from '../table/read.ts';
import { remove } from '../table/write.ts';
import { foldCase } from '../text/fold-case.ts';
import { deleteToken } from './delete.ts';
import { isCreatedBy, type Reading, readRevoked } from './list.ts';

type Found = Pick<TokenItem, 'username' | 'name'> & Key;

/** Tokens to delete, and the number of all tokens. */
export interface Tokens {
  readonly tokens: number;
  readonly found: readonly Found[];
}

/**
 * Finds the tokens created at a time or later, of one creator or of all. It reads all tokens in the index, which may lack
 * those of the last second.
 *
 * @param since in milliseconds since the epoch
 */
export async function tokensSince(
  { table, now }: Reading,
  since: number,
  createdBy?: string | readonly string[],
) {
  const found: Found[] = [];
  let tokens = 0;
  const isRevoked = await readRevoked(table);
  for await (const page of everythingIn(table, ALL_TOKENS)) {
    const stored = (page as (StoredToken & Key)[]).flatMap((item) => tokenIn(item) ?? []);
    const live = stored.filter((token) => isLive(token, now()) && !isRevoked(token));
    tokens += live.length;
    for (const { PK, SK, ...token } of live)
      if (Date.parse(`${token.token_created_at}Z`) >= since && isCreatedBy(createdBy, token))
        found.push({ PK, SK, username: token.username, name: token.name });
  }
  return { tokens, found };
}

/** All tokens of an account, strongly consistent. */
export async function tokensOf({ table, now }: Reading, owner: NamesOwner): Promise<Tokens> {
  const { username } = owner;
  const names = (await readNames(table, owner)).filter((name) => isHeld(name, now()));
  const found = names.map((name) => ({ ...tokenKey(name.sha256), username, name: nameOfToken(name) }));
  return { tokens: found.length, found };
}

/**
 * Deletes tokens one by one, each with its event. The next request with one is refused. After an interruption, a new
 * search finds the remaining ones.
 *
 * @param done receives each deleted token, and their number; its failure ends the work
 */
export async function revokeTokens(
  runtime: Announcing,
  { tokens, found }: Tokens,
  actor: Actor,
  done: (token: Found, progress: Progress) => Promise<void> = async () => undefined,
) {
  let revoked = 0;
  // Deletions of one account run one after another: each of them updates the account.
  const owners = [...Map.groupBy(found, ({ username }) => foldCase(username)).values()];
  await forEach(owners, async (own) => {
    for (const token of own) {
      await patiently(async () => {
        await deleteFound(runtime, token, actor);
        // A backup may have a token without its name: DynamoDB does not promise that it holds all of a transaction.
        await remove(runtime.table, { PK: token.PK, SK: token.SK });
      });
      await done(token, { done: ++revoked, total: found.length });
    }
  });
  return { tokens, revoked };
}

/** Deletes a token if it is there. Its owner is read again, since each deletion changes the account. */
async function deleteFound(runtime: Announcing, token: Pick<Found, 'username' | 'name'>, actor: Actor) {
  const owner = await readAccount(runtime.table, token.username);
  return owner && deleteToken(runtime, owner, token.name, actor).catch(ignore('token_not_found'));
}

/** Refuses to end the tokens of an account if one of them is wider than the credential that asks. */
async function checkMayEndTokens({ table, now }: Reading, owner: Account, limits: CredentialLimits) {
  const { found } = await tokensOf({ table, now }, owner);
  const items = await getAll(
    table,
    found.map(({ PK, SK }): Key<StoredToken> => ({ PK, SK })),
  );
  for (const item of items) checkMayEnd(tokenIn(item) ?? {}, limits);
}

/**
 * Ends all tokens of an account at once, also those that are being created, then removes them while there is time, each with
 * its event. A job removes the rest.
 *
 * @param limits of the caller's credential, which ends no wider one
 * @throws Failure `forbidden`
 */
export async function revokeAllTokens(
  runtime: Announcing,
  owner: Account,
  actor: Actor,
  limits: CredentialLimits = {},
) {
  if (isNarrow(limits)) await checkMayEndTokens(runtime, owner, limits);
  const { revocation, revoked } = await endGeneration(runtime, owner, actor);
  await bestEffort(removeRevoked(runtime, revocation, runtime.now() + REQUEST_MS));
  return new Answer({ username: owner.username, revoked }, { changed: revoked > 0 });
}
