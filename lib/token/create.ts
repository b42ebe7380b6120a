import type { Actor, Change } from '../event/account-event.ts';
import { tokenCreate } from '../event/token-create.ts';
import type { Account } from '../item/account.ts';
import type { TokenItem, TokenName } from '../item/token.ts';
import { type Announcement, type Announcing, announce, changeBy } from '../outbox/announcement.ts';
import { commitWithEvent } from '../outbox/commit.ts';
import type { Runtime } from '../runtime.ts';
import { expecting } from '../table/expressions.ts';
import { tokenIndex, tokenKey, tokenNameKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { get } from '../table/read.ts';
import { ConditionFailed, type TransactWrite } from '../table/write.ts';
import { withoutZone } from '../time.ts';
import { countedTokens } from './counted.ts';
import { type CreatedToken, createdToken, LOGIN_TOKEN } from './record.ts';
import { generateApiToken, hashApiToken } from './secret.ts';

/** Another write in the transaction that creates a token. */
type Note = (token: CreatedToken) => TransactWrite;

/**
 * Creates an API token.
 *
 * @returns the record with the secret, which cannot be read again
 * @throws Failure `token_exists`, `token_limit`, `account_cancelled`
 */
export const createToken = (runtime: Announcing, owner: Account, name: string, actor: Actor, note?: Note) =>
  putToken(runtime, owner, name, actor, { held: undefined, replaces: false, note });

/**
 * Creates the owner's token named `logintoken`, or replaces it.
 *
 * @throws Failure `token_limit`, `account_cancelled`
 */
export const createLoginToken = async (runtime: Announcing, owner: Account, actor: Actor) =>
  putToken(runtime, owner, LOGIN_TOKEN, actor, {
    held: await get(runtime.table, tokenNameKey(owner.username, LOGIN_TOKEN)),
    replaces: true,
  });

/** Creates a token with its event. If the name is taken, it replaces that token or fails. */
async function putToken(
  runtime: Announcing,
  owner: Account,
  name: string,
  actor: Actor,
  {
    held,
    replaces,
    note,
  }: {
    readonly held: TokenName | undefined;
    readonly replaces: boolean;
    readonly note?: Note | undefined;
  },
): Promise<CreatedToken> {
  const { table } = runtime;
  const change = changeBy(runtime, actor);
  const announcement = announce(runtime, tokenCreate, change, name);
  return optimistically({ owner, held }, async (current) => {
    const { token, writes } = newToken(
      runtime,
      current.owner,
      name,
      change,
      current.held?.sha256,
      announcement,
    );
    const named = { ...writes.name, ...(replaces ? {} : { otherwise: 'token_exists' as const }) };
    // The note comes first, since the first of several failed conditions decides.
    const all = [...(note ? [note(token)] : []), ...writes.others, named];
    const failed = await commitWithEvent(table, all, announcement, current.owner);
    if (!failed) return token;
    return new ConditionFailed(
      failed.write === named ? { ...current, held: failed.item } : { ...current, owner: failed.item },
    );
  });
}

/**
 * A new token, and the writes that create it.
 *
 * @param before hash of the token to replace; undefined if the name must be free
 */
function newToken(
  { random }: Runtime,
  owner: Account,
  name: string,
  { at, by }: Change,
  before: string | undefined,
  announcement: Announcement | undefined,
) {
  const secret = generateApiToken(random);
  const sha256 = hashApiToken(secret);
  const item: TokenItem = {
    username: owner.username,
    userid: owner.id,
    name,
    token_created_at: withoutZone(at),
    token_created_by: by,
  };
  const writes = {
    name: {
      Put: { Item: { ...tokenNameKey(owner.username, name), sha256 }, ...expecting({ sha256: before }) },
    },
    others: [
      countedTokens(owner, before === undefined ? 1 : 0, announcement),
      { Put: { Item: { ...tokenKey(sha256), ...tokenIndex(owner.username, name), ...item } } },
      ...(before === undefined ? [] : [{ Delete: { Key: tokenKey(before) } }]),
    ],
  };
  return { token: createdToken(item, secret), writes };
}
