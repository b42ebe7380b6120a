import bcrypt from 'bcryptjs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashable, verifyPassword } from '#lib/password/hash';
import { costIn, importedHash, isImported } from '#lib/password/imported';
import { identityV2, identityV3 } from '../support/identity-hash.ts';

const matches = (password: string, hash: string) => verifyPassword(password, hash, 0);
const ofOthers = async (password: string) => importedHash(await bcrypt.hash(password, 4));

// From PasswordHasherTest.cs of ASP.NET Core, and wrapper.c of crypt_blowfish.
const V3_512 =
  'AQAAAAIAAAD6AAAAIJbVi5wbMR+htSfFp8fTw8N8GOS/Sje+S/4YZcgBfU7EQuqv4OkVYmc4VJl9AGZzmRTxSkP7LtVi9IWyUxX8IAAfZ8v+ZfhjCcudtC1YERSqE1OEdXLW9VukPuJWBBjLuw==';
const LONGER = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
test.each([
  ['my password', 'ANXrDknc7fGPpigibZXXZFMX4aoqz44JveK6jQuwY3eH/UyPhvr5xTPeGYEckLxz9A=='],
  ['my password', 'AQAAAAAAAAD6AAAAEAhftMyfTJylOlZT+eEotFXd1elee8ih5WsjXaR3PA9M'],
  ['my password', 'AQAAAAEAACcQAAAAEAABAgMEBQYHCAkKCwwNDg+yWU7rLgUwPZb1Itsmra7cbxw2EFpwpVFIEtP+JIuUEw=='],
  ['my password', V3_512],
  ['U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  [`${LONGER}chars after 72 are ignored`, '$2y$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui'],
])('only %j matches its published hash %s', async (password, hash) => {
  expect([await matches(password, hash), await matches('another', hash)]).toEqual([true, false]);
});

test('any hash of Identity matches its password, in the normal form or as given, and no other', async () => {
  const parts = fc.record({
    prf: fc.nat(2),
    iterations: fc.integer({ min: 1000, max: 1200 }),
    salt: fc.uint8Array({ minLength: 16, maxLength: 64 }),
    length: fc.integer({ min: 16, max: 64 }),
  });
  const text = fc
    .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
    .filter((it) => !it.includes('\0') && Buffer.byteLength(it.normalize('NFKC')) < 1000);
  await fc.assert(
    fc.asyncProperty(text, fc.boolean(), fc.option(parts), async (password, isNormal, given) => {
      const hashed = isNormal ? password.normalize('NFKC') : password;
      const hash = importedHash(given ? identityV3(hashed, given) : identityV2(hashed));
      const found = [await matches(password, hash), await matches(`${password}.`, hash), isImported(hash)];
      expect(found).toEqual([true, false, true]);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['x'.repeat(1024), true],
  ['x'.repeat(1025), false],
  ['ﬃ'.repeat(25), true],
  ['', false],
  ['a\0b', false],
  ['a\ud800', false],
])('a verification of %j with an imported hash of it answers %s', async (text, isMatch) => {
  for (const hash of [identityV2(text), await ofOthers(text)])
    expect(await matches(text, hash)).toBe(isMatch);
});

test.each([
  ['ﬃ', 'ffi'],
  ['ä'.repeat(36), 'ä'.repeat(36)],
  ['x'.repeat(73), undefined],
  ['ﬃ'.repeat(25), undefined],
])('hashable answers %j in the normal form as far as bcrypt can read it', (password, expected) => {
  expect(hashable(password)).toBe(expected);
});

const own = await bcrypt.hash('x', 4);
const salt = (bytes: number) => ({ salt: new Uint8Array(bytes) });
const v3 = identityV3('x');
const bytes = Buffer.from(v3, 'base64');

test.each([
  [own, { kind: 'cost', cost: 4 }],
  [await ofOthers('x'), { kind: 'imported', cost: 4 }],
  [identityV2('x'), { kind: 'sha1', cost: 2000 }],
  [v3, { kind: 'sha256', cost: 10_000 }],
  [identityV3('x', { prf: 2, length: 16 }), { kind: 'sha512', cost: 10_000 }],
  [identityV3('x', { prf: 0, length: 64 }), { kind: 'sha1', cost: 40_000 }],
])('costIn answers kind and cost of hash %#', (hash, expected) => {
  expect(costIn(hash)).toEqual(expected);
});

test('importedHash accepts bcrypt, stored as that of others, and Identity within its bounds, stored as given', () => {
  for (const minor of 'aby') expect(importedHash(`$2${minor}${own.slice(3)}`)).toBe(`$2y${own.slice(3)}`);
  for (const parts of [
    { iterations: 1000, length: 16, ...salt(16) },
    { iterations: 1_000_000 },
    { prf: 0, iterations: 500_000 },
    { prf: 2, length: 64, ...salt(64) },
  ])
    expect(importedHash(identityV3('x', parts))).toBe(identityV3('x', parts));
});

const REASONS = {
  form: 'Must be a hash of ASP.NET Core Identity (V2, V3) or bcrypt ($2a$, $2b$, $2y$)',
  cost: 'Must have a bcrypt cost of 4 to 14',
  bytes: 'Must have a salt and a subkey of 16 to 64 bytes each',
  rounds: 'Must have 1000 to 1000000 iterations, times the blocks of the subkey',
  argon2: 'Must not be Argon2: every login would take its memory. Set a new password',
};
test.each<[string, string, keyof typeof REASONS]>([
  ['is empty', '', 'form'],
  ['has another version', Buffer.of(2, ...bytes.subarray(1)).toString('base64'), 'form'],
  ['has an unknown HMAC', identityV3('x', { prf: 3 }), 'form'],
  ['is a header only', bytes.subarray(0, 13).toString('base64'), 'form'],
  ['is V2 with a byte more', Buffer.alloc(50).toString('base64'), 'form'],
  ['is base64 without its end', v3.replace(/=+$/, ''), 'form'],
  ['has a space after it', `${v3} `, 'form'],
  ['is cut off in its salt', bytes.subarray(0, 20).toString('base64'), 'bytes'],
  ['has a short salt', identityV3('x', salt(15)), 'bytes'],
  ['has a long salt', identityV3('x', salt(65)), 'bytes'],
  ['has a short subkey', identityV3('x', { length: 15 }), 'bytes'],
  ['has a long subkey', identityV3('x', { length: 65 }), 'bytes'],
  ['has too few iterations', identityV3('x', { iterations: 999, length: 64 }), 'rounds'],
  ['has too many iterations', identityV3('x', { iterations: 1_000_001 }), 'rounds'],
  ['has too many for two blocks', identityV3('x', { prf: 0, iterations: 500_001 }), 'rounds'],
  ['has the most iterations that fit', identityV3('x', { iterations: 2 ** 32 - 1 }), 'rounds'],
  ['is bcrypt of cost 3', own.replace('$04', '$03'), 'cost'],
  ['is bcrypt of cost 15', own.replace('$04', '$15'), 'cost'],
  ['is bcrypt of a faulty variant', own.replace('$2b', '$2x'), 'form'],
  ['is bcrypt with a character less', own.slice(0, -1), 'form'],
  ['is bcrypt whose salt has unused bits', `${own.slice(0, 28)}/${own.slice(29)}`, 'form'],
  ['is bcrypt whose digest has unused bits', `${own.slice(0, -1)}/`, 'form'],
  ['is Argon2', '$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub', 'argon2'],
])('importedHash refuses a hash that %s', (_title, hash, reason) => {
  const errors = [{ field: 'password_hash', message: REASONS[reason] }];
  expect(() => importedHash(hash)).toThrow(expect.objectContaining({ code: 'invalid_request', errors }));
});
