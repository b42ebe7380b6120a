import { createHmac } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerServiceException } from '@aws-sdk/client-secrets-manager';
import { Failure } from '../failure/failure.ts';
import { describe, log } from '../log/log.ts';
import { openSecrets } from '../network/secrets.ts';
import { requireVariable } from '../runtime.ts';
import { foldCase } from '../text/fold-case.ts';

/** The keyed hash of a username, by which an erased one is found; the same for names that differ in case only. */
export type HashName = (username: string) => Promise<string>;

/** HMAC-SHA256 in base64url. Without the key, which the table does not have, nobody can try names. */
export const hashWith = (key: string, username: string) =>
  createHmac('sha256', key).update(foldCase(username)).digest('base64url');

/** Hashes with the key of a secret, which never changes: it is read once. */
export function nameHashOf(SecretId: string): HashName {
  const secrets = openSecrets();
  const readKey = async () => {
    const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
    if (!SecretString) throw new Error('The erasure key is empty');
    return SecretString;
  };
  let key: Promise<string> | undefined;
  return async (username) => {
    key ??= readKey().catch((error) => {
      key = undefined;
      throw error;
    });
    return hashWith(await key, username);
  };
}

/** Hashes with the key that the function is bound to. @throws Failure `unavailable` */
export function nameHashFromEnvironment(): HashName {
  const hash = nameHashOf(requireVariable('erasureKey'));
  return (username) =>
    hash(username).catch((error) => {
      // Operators have to fix every refusal of the secret store, such as a missing permission.
      if (!(error instanceof SecretsManagerServiceException)) throw error;
      log('error', { message: 'The erasure key cannot be read', error: describe(error) });
      throw new Failure('unavailable', { retryAfter: 5 });
    });
}
