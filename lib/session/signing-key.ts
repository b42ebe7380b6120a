import {
  GetSecretValueCommand,
  SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';
import { type CryptoKey, importJWK, type JWK } from 'jose';
import { CLIENT_LIMITS } from '../aws.ts';
import { Failure } from '../failure.ts';
import { describe, log } from '../log.ts';
import { requireVariable } from '../runtime.ts';
import type { Clock } from '../time.ts';
import type { SigningKey } from './session-token.ts';

/** A private key is held this long, so a rotation takes at most this long to reach every execution environment. */
export const HELD_MS = 5 * 60_000;

/** A private key as the secret keeps it. */
export type PrivateKey = JWK & { readonly kid: string };

/** Opens the secret store with the credentials, region and endpoint of the environment. */
export const openSecrets = () => new SecretsManagerClient(CLIENT_LIMITS);

/** Reads a secret's text as a private key; undefined for anything else, as the placeholder before the first rotation. */
export function parsePrivateKey(text: string | undefined): PrivateKey | undefined {
  if (!text?.startsWith('{')) return undefined;
  try {
    const jwk = JSON.parse(text) as Partial<PrivateKey>;
    return jwk.kid && jwk.d ? (jwk as PrivateKey) : undefined;
  } catch {
    // Its message would quote the key.
    return undefined;
  }
}

/**
 * The current private key, read from Secrets Manager and held for five minutes.
 *
 * @returns a function that throws Failure `unavailable` while there is no key yet
 */
export function signingKeyFromSecret(now: Clock = Date.now): () => Promise<SigningKey> {
  const secrets = openSecrets();
  const SecretId = requireVariable('signingKey');
  let held: SigningKey | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  return async () => {
    if (held && now() - readAt < HELD_MS) return held;
    try {
      const started = now();
      const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
      const jwk = parsePrivateKey(SecretString);
      if (!jwk) throw new Failure('unavailable', { retryAfter: 5 });
      held = { kid: jwk.kid, key: (await importJWK(jwk, 'ES256')) as CryptoKey };
      readAt = started;
      return held;
    } catch (error) {
      // Whatever the store of secrets refuses, a missing permission included, is for the operator to mend.
      if (!(error instanceof SecretsManagerServiceException)) throw error;
      log('error', { message: 'The signing key cannot be read', error: describe(error) });
      throw new Failure('unavailable', { retryAfter: 5 });
    }
  };
}
