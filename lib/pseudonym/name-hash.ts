import { SecretsManagerServiceException } from '@aws-sdk/client-secrets-manager';
import { Failure } from '../failure/failure.ts';
import { describe, log } from '../log/log.ts';
import { openSecrets } from '../network/secrets.ts';
import { type Runtime, requireVariable } from '../runtime.ts';
import { checkOf, hashWith, OtherKey, readErasureKey, storedCheck, writeCheck } from './erasure-key.ts';

/**
 * The keyed hash of a username, by which an erased one is found; the same for names that differ in case only.
 *
 * @param keeps true where the hash is stored, or refuses a name: a table without a check value gets that of this key
 */
export type HashName = (username: string, keeps?: boolean) => Promise<string>;

/** The key that a function holds, and whether the table has its check value. */
interface Held {
  readonly key: string;
  isChecked: boolean;
}

/**
 * How long a key is used before the check value is read again: the longest time until every function uses a key that was
 * adopted in place of another one. A key that differs is not held, so that one that is mended works at the next request.
 */
export const HELD_MS = 5 * 60_000;

/**
 * Hashes with the key of a secret, as long as it is the one of the table.
 *
 * @param failing what to do with an error, once for all hashes that wait for the key
 */
export function nameHashOf(
  { table, now }: Pick<Runtime, 'table' | 'now'>,
  SecretId: string,
  failing: (error: unknown) => never = (error) => {
    throw error;
  },
): HashName {
  const secrets = openSecrets();

  async function compare(former: string | undefined): Promise<Held> {
    const key = former ?? (await readErasureKey(secrets, { SecretId }));
    const check = await storedCheck(table);
    if (check === undefined || check === checkOf(key)) return { key, isChecked: check !== undefined };
    if (former === undefined) throw new OtherKey();
    return compare(undefined);
  }

  let held: Promise<Held> | undefined;
  let until = 0;
  function current(): Promise<Held> {
    if (held && now() < until) return held;
    until = now() + HELD_MS;
    const next = Promise.resolve(held).then((before) => compare(before?.key).catch(failing));
    held = next;
    next.catch(() => {
      held = undefined;
    });
    return next;
  }

  return async (username, keeps) => {
    let one = await current();
    if (keeps && !one.isChecked) {
      await writeCheck(table, one.key);
      // Another function may have been faster, with another key.
      until = 0;
      one = await current();
    }
    return hashWith(one.key, username);
  };
}

/** Hashes with the key that the function is bound to. @throws Failure `unavailable` */
export const nameHashFromEnvironment = (runtime: Runtime): HashName =>
  nameHashOf(runtime, requireVariable('erasureKey'), (error) => {
    if (error instanceof OtherKey) log('error', { code: error.name, message: error.message });
    // Operators have to fix every refusal of the secret store, such as a missing permission.
    else if (error instanceof SecretsManagerServiceException)
      log('error', { message: 'The erasure key cannot be read', error: describe(error) });
    else throw error;
    throw new Failure('unavailable', { retryAfter: error instanceof OtherKey ? 60 : 5 });
  });
