import { createHash } from 'node:crypto';
import { Answer } from '../contract/answer.ts';
import type { Actor } from '../event/event.ts';
import { Failure, failing } from '../failure/failure.ts';
import type { Made } from '../item/made.ts';
import type { Runtime } from '../runtime.ts';
import { madeKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import { storing, type TransactWrite } from '../table/write.ts';
import { DAY_MS } from '../time.ts';
import { seal, unseal } from './seal.ts';

/** How long a request may be repeated. */
export const REPEATABLE_MS = DAY_MS;

/** A request that may have an `Idempotency-Key`. */
export interface Repeatable {
  readonly actor: Actor;
  readonly headers: { readonly 'idempotency-key'?: string | undefined };
}

/** The account or token that a request is about. */
interface Subject extends Pick<Made, 'name'> {
  readonly username: string;
  /** Everything else that decides the request, as text; undefined without any. */
  readonly asked?: string | undefined;
}

/** Another write in the transaction of a request: it records the request with the secret of its answer. */
export type Note = (secret: string) => TransactWrite;

/**
 * Carries out a request, or answers again what this account has requested with the same key within a day, whatever the
 * session. A request that is refused is not recorded.
 *
 * @param request without a key, it is always carried out
 * @param create carries it out in one transaction with the note
 * @param again the answer to a repeat, from the secret of the first answer
 * @throws Failure `idempotency_key_reused` if the key was used for another request
 */
export async function once<Result>(
  { table, now, random }: Runtime,
  { actor: { by }, headers: { 'idempotency-key': key } }: Repeatable,
  { username, name, asked }: Subject,
  create: (note?: Note) => Promise<Result | Answer<Result>>,
  again: (secret: string) => Promise<Result>,
): Promise<Result | Answer<Result>> {
  if (key === undefined) return create();
  const terms = asked === undefined ? undefined : createHash('sha256').update(asked).digest('hex');
  const same = { made_for: username, name, ...(terms && { terms }) };
  const repeat = async () => {
    const made = await get(table, madeKey(by, key));
    if (!made || made.ttl * 1000 <= now()) return undefined;
    const isSame =
      (made.made_for ?? made.username) === username && made.name === name && made.terms === terms;
    const secret = isSame ? unseal(made, { key, by }) : undefined;
    if (secret === undefined)
      throw failing('idempotency_key_reused', 'idempotency-key', 'Was used for another request');
    return new Answer(await again(secret), { changed: false });
  };
  const note: Note = (secret) => {
    const time = now();
    const ttl = Math.ceil((time + REPEATABLE_MS) / 1000);
    // An expired item may have terms: DynamoDB may remove it days later.
    const made: Made = { ...same, terms, ...seal(secret, { key, by }, random), ttl };
    const { Update } = storing(madeKey(by, key), made);
    return {
      Update: {
        ...Update,
        ConditionExpression: 'attribute_not_exists(PK) OR #ttl <= :now',
        ExpressionAttributeValues: { ...Update.ExpressionAttributeValues, ':now': time / 1000 },
      },
      otherwise: 'idempotency_key_reused',
    };
  };

  const before = await repeat();
  if (before) return before;
  try {
    return await create(note);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'unauthenticated') throw error;
    // A faster request with the same key may have changed the items that this one had read.
    const faster = await repeat();
    if (faster) return faster;
    throw error.code === 'idempotency_key_reused' ? new Failure('unavailable', { retryAfter: 1 }) : error;
  }
}
