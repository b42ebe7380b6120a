import type { Account } from '../item/account.ts';
import type { TokenItem } from '../item/token.ts';
import type { Runtime } from '../runtime.ts';
import { expecting } from '../table/expressions.ts';
import { accountKey, tokenIndex, tokenKey, tokenNameKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { get } from '../table/read.ts';
import { type ConditionFailed, type TransactWrite, transact } from '../table/write.ts';
import { withoutZone } from '../time.ts';
import { LOGIN_TOKEN, type TokenRecord, tokenRecord } from './record.ts';
import { generateApiToken, hashApiToken } from './secret.ts';

const MAX_TOKENS = 100;

/**
 * Creates an API token.
 *
 * @param createdBy username of who asks for it
 * @returns the record with the secret, which cannot be read again
 * @throws Failure `token_exists`, `token_limit`, `account_cancelled`
 */
export async function createToken(
  runtime: Runtime,
  owner: Account,
  name: string,
  createdBy: string,
): Promise<TokenRecord> {
  const { token, writes } = newToken(runtime, owner, name, createdBy, undefined);
  await transact(runtime.table, [...writes.others, { ...writes.name, otherwise: 'token_exists' }]);
  return token;
}

/**
 * Creates the owner's token named `logintoken`, or puts a new one in its place.
 *
 * @throws Failure `token_limit`, `account_cancelled`
 */
export async function createLoginToken(runtime: Runtime, owner: Account): Promise<TokenRecord> {
  const { table } = runtime;
  const before = await get(table, tokenNameKey(owner.username, LOGIN_TOKEN));
  return optimistically(before, async (held) => {
    const { token, writes } = newToken(runtime, owner, LOGIN_TOKEN, owner.username, held?.sha256);
    const failed: ConditionFailed | undefined = await transact(table, [...writes.others, writes.name]);
    return failed ?? token;
  });
}

/**
 * A new token under a name, and the writes that make it.
 *
 * @param before hash of the token that holds the name and is to be replaced; undefined where none may hold it
 */
function newToken(
  { random, now }: Runtime,
  owner: Account,
  name: string,
  createdBy: string,
  before: string | undefined,
) {
  const secret = generateApiToken(random);
  const sha256 = hashApiToken(secret);
  const item: TokenItem = {
    username: owner.username,
    userid: owner.id,
    name,
    token_created_at: withoutZone(now()),
    token_created_by: createdBy,
  };
  const writes = {
    name: {
      Put: { Item: { ...tokenNameKey(owner.username, name), sha256 }, ...expecting({ sha256: before }) },
    },
    others: [
      counted(owner.username, before === undefined ? 1 : 0),
      { Put: { Item: { ...tokenKey(sha256), ...tokenIndex(owner.username, name), ...item } } },
      ...(before === undefined ? [] : [{ Delete: { Key: tokenKey(before) } }]),
    ],
  };
  return { token: tokenRecord(item, secret), writes };
}

/** Makes room for so many tokens of an active account. */
const counted = (username: string, added: 0 | 1): TransactWrite => ({
  Update: {
    Key: accountKey(username),
    UpdateExpression: 'ADD token_count :added',
    ConditionExpression: 'isactive = :true AND token_count <= :room',
    ExpressionAttributeValues: { ':added': added, ':true': true, ':room': MAX_TOKENS - added },
  },
  otherwise: (account) => (account?.['isactive'] === false ? 'account_cancelled' : 'token_limit'),
});
