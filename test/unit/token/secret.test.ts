import { expect, test } from 'vitest';
import { isApiToken } from '#lib/text/api-token-form';
import { generateApiToken, hashApiToken } from '#lib/token/secret';
import { seededBytes } from '../../names.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Checksums calculated with Python's zlib.crc32. */
const ZEROS = `cst_${'0'.repeat(30)}2C8GjS`;
const LETTERS = 'cst_abcdefghijklmnopqrstuvwxyz01232LolCm';

test('generateApiToken returns a new token of 30 characters and a checksum', () => {
  const tokens = Array.from({ length: 1000 }, () => generateApiToken(seededBytes));
  expect(new Set(tokens).size).toBe(tokens.length);
  for (const token of tokens) {
    expect(token).toMatch(/^cst_[0-9A-Za-z]{36}$/);
    expect(isApiToken(token)).toBe(true);
  }
});

test('generateApiToken discards bytes that would make some characters more likely', () => {
  const draws = [255, 248, 247].map((byte) => new Uint8Array(30).fill(byte));
  expect(generateApiToken(() => draws.shift() ?? new Uint8Array(30))).toMatch(/^cst_z{30}/);
});

test('isApiToken accepts tokens only', () => {
  for (const text of [ZEROS, LETTERS, `cst_${'z'.repeat(30)}4IlJEz`])
    expect(isApiToken(text), text).toBe(true);
  const changed = [`${ZEROS}\n`, ZEROS.replace('cst_', 'CST_'), ZEROS.replace('0', '\u0660')];
  for (const text of ['', 'cst_', ZEROS.slice(0, -1), `${ZEROS}0`, ` ${ZEROS}`, ...changed])
    expect(isApiToken(text), text).toBe(false);
});

test('isApiToken refuses a token with any one character changed', () => {
  for (let position = 0; position < LETTERS.length; position++)
    for (const character of `${ALPHABET}_-. `) {
      const changed = LETTERS.slice(0, position) + character + LETTERS.slice(position + 1);
      if (changed !== LETTERS) expect(isApiToken(changed), changed).toBe(false);
    }
});

test('hashApiToken returns the SHA-256 of a token', () => {
  expect(hashApiToken(ZEROS)).toBe('7dda89fe1b11fc5957ab53a430e77deac5540af0f944bc85e48d02cf9628caff');
});
