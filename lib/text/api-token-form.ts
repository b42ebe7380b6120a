import type { Cause } from '../failure/cause.ts';

const PREFIX = 'cst_';
export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const SECRET_LENGTH = 30;
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

/** The API token with a secret of {@link SECRET_LENGTH} characters of {@link ALPHABET}. */
export const tokenWith = (secret: string): string => PREFIX + secret + checksum(secret);

/** Why a text is no API token; undefined if it has the form and the checksum of one. */
export function faultOf(text: string): Cause | undefined {
  const [, secret, digits] = FORM.exec(text) ?? [];
  if (secret === undefined) return 'malformed_credential';
  return checksum(secret) === digits ? undefined : 'bad_checksum';
}

/** Whether the text has the form and the checksum of an API token. */
export const isApiToken = (text: string): boolean => faultOf(text) === undefined;
