import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { generateApiToken, hashApiToken, isApiToken } from '#lib/token/secret';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Checksums calculated with Python's zlib.crc32. */
const KNOWN = [
  `cst_${'0'.repeat(30)}2C8GjS`,
  'cst_abcdefghijklmnopqrstuvwxyz01232LolCm',
  `cst_${'z'.repeat(30)}4IlJEz`,
];

describe('an API token', () => {
  test('has the prefix, 30 characters of secret and 6 of checksum', () => {
    for (let i = 0; i < 1000; i++) {
      const token = generateApiToken(randomBytes);
      expect(token).toMatch(/^cst_[0-9A-Za-z]{36}$/);
      expect(isApiToken(token)).toBe(true);
    }
  });

  test.each(KNOWN)('%s is valid: its checksum is CRC-32 in base 62', (token) => {
    expect(isApiToken(token)).toBe(true);
  });

  test('is never drawn twice', () => {
    expect(new Set(Array.from({ length: 1000 }, () => generateApiToken(randomBytes))).size).toBe(1000);
  });

  test('throws away bytes that would make some characters likelier', () => {
    const draws = [new Uint8Array(30).fill(255), new Uint8Array(30).fill(248), new Uint8Array(30).fill(247)];
    expect(generateApiToken(() => draws.shift() ?? new Uint8Array(30))).toMatch(/^cst_z{30}/);
  });

  test('is refused with any one character changed', () => {
    const token = KNOWN[1] as string;
    for (let position = 0; position < token.length; position++)
      for (const character of `${ALPHABET}_-. `) {
        const changed = token.slice(0, position) + character + token.slice(position + 1);
        if (changed !== token) expect(isApiToken(changed), changed).toBe(false);
      }
  });

  test.each([
    ['nothing', ''],
    ['a prefix alone', 'cst_'],
    ['one character too few', (KNOWN[0] as string).slice(0, -1)],
    ['one character too many', `${KNOWN[0]}0`],
    ['a space before', ` ${KNOWN[0]}`],
    ['a line break after', `${KNOWN[0]}\n`],
    ['another prefix', (KNOWN[0] as string).replace('cst_', 'CST_')],
    ['digits of another script', (KNOWN[0] as string).replace('0', '\u0660')],
  ])('is refused with %s', (_name, text) => {
    expect(isApiToken(text)).toBe(false);
  });

  test('is stored as its SHA-256', () => {
    expect(hashApiToken(KNOWN[0] as string)).toBe(
      '7dda89fe1b11fc5957ab53a430e77deac5540af0f944bc85e48d02cf9628caff',
    );
  });
});
