import type { Account } from '../account/account.ts';
import { generateApiToken, hashApiToken } from '../auth/api-token.ts';
import { Failure } from '../failure.ts';
import type { Runtime } from '../runtime.ts';
import { expecting } from '../table/expressions.ts';
import { accountKey, tokenIndex, tokenKey, tokenNameKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { get } from '../table/read.ts';
import { Refusal, transact } from '../table/write.ts';
import { withoutZone } from '../time.ts';
import { type TokenItem, type TokenName, type TokenRecord, tokenRecord } from './record.ts';

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
  const created = await writeToken(runtime, owner, name, createdBy, undefined);
  if (created instanceof Refusal) throw new Failure('token_exists');
  return created;
}

/** The name of the token that its owner may make again and again. */
const LOGIN_TOKEN = 'logintoken';

/**
 * Creates the owner's token named `logintoken`, or puts a new one in its place.
 *
 * @throws Failure `token_limit`, `account_cancelled`
 */
export async function createLoginToken(runtime: Runtime, owner: Account): Promise<TokenRecord> {
  const { table } = runtime;
  const before = await get<TokenName>(table, tokenNameKey(owner.username, LOGIN_TOKEN));
  return optimistically(before, (held) =>
    writeToken(runtime, owner, LOGIN_TOKEN, owner.username, held?.sha256),
  );
}

/**
 * Writes a new token under a name.
 *
 * @param before hash of the token that holds the name and is to be replaced; undefined where none may hold it
 * @returns the refusal where the name is held otherwise
 */
async function writeToken(
  runtime: Runtime,
  owner: Account,
  name: string,
  createdBy: string,
  before: string | undefined,
): Promise<TokenRecord | Refusal> {
  const { item, secret, sha256 } = newToken(runtime, owner, name, createdBy);
  const added = before === undefined ? 1 : 0;
  const refusal = await transact(runtime.table, [
    {
      Update: {
        Key: accountKey(owner.username),
        UpdateExpression: 'ADD token_count :added',
        ConditionExpression: 'isactive = :true AND token_count <= :room',
        ExpressionAttributeValues: { ':added': added, ':true': true, ':room': MAX_TOKENS - added },
      },
    },
    { Put: { Item: { ...tokenNameKey(owner.username, name), sha256 }, ...expecting({ sha256: before }) } },
    { Put: { Item: item } },
    ...(before === undefined ? [] : [{ Delete: { Key: tokenKey(before) } }]),
  ]);
  if (refusal?.index === 0)
    throw new Failure(refusal.item?.['isactive'] === false ? 'account_cancelled' : 'token_limit');
  return refusal ?? tokenRecord(item, secret);
}

function newToken({ random, now }: Runtime, owner: Account, name: string, createdBy: string) {
  const secret = generateApiToken(random);
  const sha256 = hashApiToken(secret);
  const item: TokenItem = {
    ...tokenKey(sha256),
    ...tokenIndex(owner.username, name),
    username: owner.username,
    userid: owner.id,
    name,
    token_created_at: withoutZone(now()),
    token_created_by: createdBy,
  };
  return { item, secret, sha256 };
}
