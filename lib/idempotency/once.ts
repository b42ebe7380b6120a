import { createHash } from 'node:crypto';
import { Answer } from '../contract/answer.ts';
import { Failure, ignore } from '../failure.ts';
import type { Made } from '../item/made.ts';
import type { Runtime } from '../runtime.ts';
import { formerMadeKey, madeKey } from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import type { TransactWrite } from '../table/write.ts';
import { DAY_MS } from '../time.ts';
import { type Repeatable, seal, unseal } from './seal.ts';

/** How long a request may be repeated. */
const REPEATABLE_MS = DAY_MS;

/** A request with an `Idempotency-Key`. */
export interface Keyed extends Repeatable, Pick<Made, 'username' | 'name'> {
  /** Everything else that decides it, as text; undefined without any. */
  readonly asked?: string | undefined;
}

/** Another write in the transaction of a request: it records the request with the secret of its answer. */
export type Note = (secret: string) => TransactWrite;

/**
 * Carries out a request, or answers again what this account has requested with the same key within a day, whatever the
 * session. A request that is refused is not recorded.
 *
 * @param request undefined for a request without a key, which is always carried out
 * @param create carries it out in one transaction with the note
 * @param again the answer to a repeat, from the secret of the first answer
 * @throws Failure `idempotency_key_reused` if the key was used for another request
 */
export async function once<Result>(
  { table, now, random }: Runtime,
  request: Keyed | undefined,
  create: (note?: Note) => Promise<Result | Answer<Result>>,
  again: (secret: string) => Promise<Result>,
): Promise<Result | Answer<Result>> {
  if (!request) return create();
  const { key, by, username, name, asked } = request;
  const same = {
    username,
    name,
    ...(asked === undefined ? {} : { terms: createHash('sha256').update(asked).digest('hex') }),
  };
  const repeat = async () => {
    const [own, former] = await getAll(table, [madeKey(by, key), formerMadeKey(by, key)]);
    const made = own ?? former;
    if (!made || made.ttl * 1000 <= now()) return undefined;
    return new Answer(await again(secretOf(made, same, request)), { changed: false });
  };
  const note: Note = (secret) => {
    const time = now();
    const ttl = Math.ceil((time + REPEATABLE_MS) / 1000);
    const made: Made = { ...same, ...seal(secret, request, random), ttl };
    return {
      Put: {
        Item: { ...madeKey(by, key), ...made },
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
  const created = await create(note).catch(ignore('idempotency_key_reused'));
  // Another request with the same key was faster.
  const result = created ?? (await repeat());
  if (!result) throw new Failure('unavailable', { retryAfter: 1 });
  return result;
}

type Same = Pick<Made, 'username' | 'name' | 'terms'>;

function secretOf(made: Made, { username, name, terms }: Same, repeatable: Repeatable): string {
  if (made.username !== username || made.name !== name || made.terms !== terms)
    throw reused('Idempotency-Key', 'Was used for another request');
  const secret = unseal(made, repeatable);
  if (secret === undefined) throw reused('Authorization', 'Must be the credential of the first request');
  return secret;
}

const reused = (field: string, message: string) =>
  new Failure('idempotency_key_reused', { errors: [{ field, message }] });
