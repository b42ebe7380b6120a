import { createHash } from 'node:crypto';
import { ALPHABET, SECRET_LENGTH, tokenWith } from '../text/api-token-form.ts';

/**
 * A new API token: `cst_`, 30 base62 characters (178 bits), 6 of checksum.
 *
 * @param random a cryptographically secure source of bytes
 */
export function generateApiToken(random: (bytes: number) => Uint8Array): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH)
    // 248 is the largest multiple of 62 in a byte; discarding the rest makes all characters equally likely.
    for (const byte of random(SECRET_LENGTH))
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += ALPHABET[byte % 62];
  return tokenWith(secret);
}

/** Stored hash of a token: SHA-256 in hex. The secret has 178 bits, so it needs no salt or stretching. */
export const hashApiToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** ID of a secret in the sessions that it logs in: a part of its hash, which finds no token. */
export const secretId = (hash: string) => hash.slice(0, 32);
