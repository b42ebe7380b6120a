import { createHash } from 'node:crypto';

/** Digits of Crockford's base32 (https://www.crockford.com/base32.html). */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const FORM = new RegExp(`^[${DIGITS}]{12}$`);

/** What people and their devices type around and between the digits. */
const APART = /[\p{White_Space}\p{DI}\p{Pd}\u2212]/gu;

/**
 * A new one-time code: 60 bits in three groups.
 *
 * @param random a cryptographically secure source of bytes
 */
export function generateCode(random: (bytes: number) => Uint8Array): string {
  const digits = Array.from(random(12), (byte) => DIGITS[byte % 32]).join('');
  return `${digits.slice(0, 4)}-${digits.slice(4, 8)}-${digits.slice(8)}`;
}

/** Stored hash of a code, as generated or as people type it; undefined for a text that is no code. */
export function hashOfCode(text: string): string | undefined {
  const typed = text.replace(APART, '');
  if (!/^\w{12}$/.test(typed)) return undefined;
  const code = typed.toUpperCase().replace(/[IL]/g, '1').replaceAll('O', '0');
  return FORM.test(code) ? createHash('sha256').update(code).digest('hex') : undefined;
}
