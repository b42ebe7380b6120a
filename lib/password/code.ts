import { createHash } from 'node:crypto';
import { DIGITS, isUnlikeReference } from '../text/code-form.ts';

const FORM = new RegExp(`^[${DIGITS}]{12}$`);

/** What people and their devices type around and between the digits. */
const APART = /[\p{White_Space}\p{DI}\p{Pd}\u2212]/gu;

/**
 * A new one-time code: 60 bits in three groups. One in 79 that are drawn could be a reference such as `CASE-2024-0117`, and is
 * drawn again, which costs 0.02 bits.
 *
 * @param random a cryptographically secure source of bytes
 */
export function generateCode(random: (bytes: number) => Uint8Array): string {
  const digits = Array.from(random(12), (byte) => DIGITS[byte % 32]).join('');
  const code = `${digits.slice(0, 4)}-${digits.slice(4, 8)}-${digits.slice(8)}`;
  return isUnlikeReference(code) ? code : generateCode(random);
}

/** Stored hash of a code, as generated or as people type it; undefined for a text that is no code. */
export function hashOfCode(text: string): string | undefined {
  const typed = text.replace(APART, '');
  if (!/^\w{12}$/.test(typed)) return undefined;
  const code = typed.toUpperCase().replace(/[IL]/g, '1').replaceAll('O', '0');
  return FORM.test(code) ? createHash('sha256').update(code).digest('hex') : undefined;
}
