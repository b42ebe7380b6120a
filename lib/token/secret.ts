import { createHash } from 'node:crypto';
import type { Cause } from '../failure/cause.ts';

const PREFIX = 'cst_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}([${ALPHABET}]{${SECRET_LENGTH}})([${ALPHABET}]{${CHECKSUM_LENGTH}})$`);

/** CRC-32 of a text in ASCII. Loading node:zlib for its own would make a cold start longer. */
function crc32(text: string): number {
  let remainder = 0xffffffff;
  for (const character of text) {
    remainder ^= character.charCodeAt(0);
    for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0);
  }
  return ~remainder >>> 0;
}

/** CRC-32 of the secret in base 62, six digits: distinguishes a mistyped token from a revoked one without a read. */
function checksum(secret: string): string {
  let value = crc32(secret);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = ALPHABET[value % 62] + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}

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
  return PREFIX + secret + checksum(secret);
}

/** Why a text is no API token; undefined if it has the form and the checksum of one. */
export function faultOf(text: string): Cause | undefined {
  const [, secret, digits] = FORM.exec(text) ?? [];
  if (secret === undefined) return 'malformed_credential';
  return checksum(secret) === digits ? undefined : 'bad_checksum';
}

/** Whether the text has the form and the checksum of an API token. */
export const isApiToken = (text: string): boolean => faultOf(text) === undefined;

/** Stored hash of a token: SHA-256 in hex. The secret has 178 bits, so it needs no salt or stretching. */
export const hashApiToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** ID of a secret in the sessions that it logs in: a part of its hash, which finds no token. */
export const secretId = (hash: string) => hash.slice(0, 32);
