import type { Account } from '../account/account.ts';
import { generateApiToken, hashApiToken } from '../auth/api-token.ts';
import { Failure } from '../http/failure.ts';
import type { Runtime } from '../runtime.ts';
import { accountKey, tokenIndex, tokenKey, tokenNameKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import { transact } from '../table/write.ts';
import { withoutZone } from '../time.ts';
import { type TokenItem, type TokenRecord, tokenRecord } from './record.ts';

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
  const { item, secret, sha256 } = newToken(runtime, owner, name, createdBy);
  const refusal = await transact(runtime.table, [
    {
      Update: {
        Key: accountKey(owner.username),
        UpdateExpression: 'ADD token_count :one',
        ConditionExpression: 'isactive = :true AND token_count < :max',
        ExpressionAttributeValues: { ':one': 1, ':true': true, ':max': MAX_TOKENS },
      },
    },
    {
      Put: {
        Item: { ...tokenNameKey(owner.username, name), sha256 },
        ConditionExpression: 'attribute_not_exists(PK)',
      },
    },
    { Put: { Item: item } },
  ]);
  if (!refusal) return tokenRecord(item, secret);
  if (refusal.index === 1) throw new Failure('token_exists');
  throw new Failure(refusal.item?.['isactive'] === false ? 'account_cancelled' : 'token_limit');
}

/** The name of the token that its owner may make again and again. */
const LOGIN_TOKEN = 'logintoken';

/** Creates the owner's token named `logintoken`, or puts a new one in its place. */
export async function createLoginToken(runtime: Runtime, owner: Account): Promise<TokenRecord> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const before = await get<{ sha256: string }>(runtime.table, tokenNameKey(owner.username, LOGIN_TOKEN));
    const created = before
      ? await replaceToken(runtime, owner, LOGIN_TOKEN, before.sha256)
      : await createToken(runtime, owner, LOGIN_TOKEN, owner.username).catch(unlessExists);
    if (created) return created;
  }
  throw new Failure('unavailable', { retryAfter: 1 });
}

function unlessExists(error: unknown): undefined {
  if (!(error instanceof Failure && error.code === 'token_exists')) throw error;
}

/** @returns undefined when another request was quicker */
async function replaceToken(runtime: Runtime, owner: Account, name: string, before: string) {
  const { item, secret, sha256 } = newToken(runtime, owner, name, owner.username);
  const refusal = await transact(runtime.table, [
    {
      ConditionCheck: {
        Key: accountKey(owner.username),
        ConditionExpression: 'isactive = :true',
        ExpressionAttributeValues: { ':true': true },
      },
    },
    {
      Put: {
        Item: { ...tokenNameKey(owner.username, name), sha256 },
        ConditionExpression: 'sha256 = :before',
        ExpressionAttributeValues: { ':before': before },
      },
    },
    { Delete: { Key: tokenKey(before) } },
    { Put: { Item: item } },
  ]);
  if (refusal?.index === 0) throw new Failure('account_cancelled');
  return refusal ? undefined : tokenRecord(item, secret);
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
