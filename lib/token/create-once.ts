import { Answer } from '../contract/answer.ts';
import type { Actor } from '../event/account-event.ts';
import { Failure, ignore } from '../failure.ts';
import type { Account } from '../item/account.ts';
import type { MadeToken } from '../item/made-token.ts';
import type { Announcing } from '../outbox/announcement.ts';
import type { Runtime } from '../runtime.ts';
import { madeTokenKey, tokenKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import type { TransactWrite } from '../table/write.ts';
import { DAY_MS } from '../time.ts';
import { createToken } from './create.ts';
import { type CreatedToken, createdToken } from './record.ts';
import { type Repeatable, seal, unseal } from './seal.ts';
import { hashApiToken } from './secret.ts';

/** How long a request may be repeated. */
const REPEATABLE_MS = DAY_MS;

/**
 * Creates an API token, or returns the token that this caller has created with the same key within a day.
 *
 * @throws Failure `token_exists`, `token_limit`, `account_cancelled`; `idempotency_key_reused` if the key was used
 *   for another token or with another credential, `token_deleted` if the token was deleted
 */
export async function createTokenOnce(
  runtime: Announcing,
  owner: Account,
  name: string,
  actor: Actor,
  repeatable: Repeatable,
): Promise<CreatedToken | Answer<CreatedToken>> {
  const { table, now } = runtime;
  const key = madeTokenKey(actor.by, repeatable.key);
  const repeat = async () => {
    const made = await get(table, key);
    return made && made.ttl * 1000 > now() ? answerAgain(runtime, made, owner, name, repeatable) : undefined;
  };
  const note = (token: CreatedToken): TransactWrite => {
    const time = now();
    const secret = token.value;
    const made: MadeToken = {
      username: owner.username,
      name,
      sha256: hashApiToken(secret),
      ...seal(secret, repeatable, runtime.random),
      ttl: Math.ceil((time + REPEATABLE_MS) / 1000),
    };
    return {
      Put: {
        Item: { ...key, ...made },
        // DynamoDB may remove expired items days later.
        ConditionExpression: 'attribute_not_exists(PK) OR #ttl <= :now',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': time / 1000 },
      },
      otherwise: 'idempotency_key_reused',
    };
  };

  const before = await repeat();
  if (before) return before;
  const created = await createToken(runtime, owner, name, actor, note).catch(
    ignore('idempotency_key_reused'),
  );
  // Another request with the same key was faster.
  const token = created ?? (await repeat());
  if (!token) throw new Failure('unavailable', { retryAfter: 1 });
  return token;
}

async function answerAgain(
  { table }: Runtime,
  made: MadeToken,
  owner: Account,
  name: string,
  repeatable: Repeatable,
): Promise<Answer<CreatedToken>> {
  if (made.username !== owner.username || made.name !== name)
    throw reused('Idempotency-Key', 'Was used for another token');
  const secret = unseal(made, repeatable);
  if (secret === undefined) throw reused('Authorization', 'Must be the credential of the first request');
  const item = await get(table, tokenKey(made.sha256));
  if (!item) throw new Failure('token_deleted');
  const { token_used_at: _, ...unused } = item;
  return new Answer(createdToken(unused, secret), { changed: false });
}

const reused = (field: string, message: string) =>
  new Failure('idempotency_key_reused', { errors: [{ field, message }] });
