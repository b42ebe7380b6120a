import { beforeAll, describe, expect, test } from 'vitest';
import { hashPassword, needsRehash, verifyPassword } from '#lib/account/password-hash';

const COST = 10;
const hash = (password: string, username = 'ada') => hashPassword(password, username, COST);

describe('a password may be set', () => {
  test.each([
    ['of 8 bytes', 'x'.repeat(8)],
    ['of 72 bytes', 'x'.repeat(72)],
    ['of 8 bytes in four characters', 'ääää'],
    ['of spaces', ' '.repeat(8)],
  ])('%s', async (_name, password) => {
    expect(await verifyPassword(password, await hash(password), COST)).toBe(true);
  });
});

describe('a password is refused', () => {
  test.each([
    ['empty', ''],
    ['of 7 bytes', 'x'.repeat(7)],
    ['of 73 bytes', 'x'.repeat(73)],
    ['of 74 bytes in 37 characters', 'ä'.repeat(37)],
    ['of 25 bytes that are 75 after NFKC', '\ufb03'.repeat(25)],
    ['with NUL', 'password\0rest'],
    ['with half a surrogate pair', 'password\ud800'],
    ['that is the username', 'Ada.Lovelace'],
    ['that is the username in another case', 'ADA.LOVELACE'],
    ['that is the username in full-width letters', 'Ａｄａ.Lovelace'],
  ])('%s', async (_name, password) => {
    await expect(hash(password, 'ada.lovelace')).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'password' }],
    });
  });
});

describe('a login', () => {
  let stored: string;
  beforeAll(async () => {
    stored = await hash('correct horse');
  });

  test('takes any spelling that is the same after NFKC', async () => {
    const other = await hash('pässwörd');
    expect(await verifyPassword('pa\u0308sswo\u0308rd', other, COST)).toBe(true);
  });

  test.each([
    ['another password', 'correct horsf'],
    ['another case', 'Correct horse'],
    ['a space more', 'correct horse '],
    ['nothing', ''],
    ['more after NUL', 'correct horse\0x'],
    ['half a surrogate pair', 'correct horse\ud800'],
  ])('refuses %s', async (_name, password) => {
    expect(await verifyPassword(password, stored, COST)).toBe(false);
  });

  test('refuses a longer password of which bcrypt would read only the first 72 bytes', async () => {
    const longest = await hash('x'.repeat(72));
    expect(await verifyPassword('x'.repeat(73), longest, COST)).toBe(false);
  });

  test('without a password on record is refused, whatever is tried', async () => {
    for (const password of ['', 'correct horse'])
      expect(await verifyPassword(password, undefined, COST)).toBe(false);
  });

  test('takes the work of bcrypt for every refusal', async () => {
    const timeOf = async (password: string, against: string | undefined) => {
      const started = performance.now();
      await verifyPassword(password, against, COST);
      return performance.now() - started;
    };
    const usual = Math.min(await timeOf('correct horse', stored), await timeOf('correct horse', stored));
    for (const [password, against] of [
      ['wrong', stored],
      ['', stored],
      ['x'.repeat(100_000), stored],
      ['correct horse', undefined],
      ['a\0b', undefined],
    ] as const)
      expect(await timeOf(password, against)).toBeGreaterThan(usual / 3);
  });
});

test('a hash of another cost is due to be made again', async () => {
  const stored = await hash('correct horse');
  expect(needsRehash(stored, COST)).toBe(false);
  expect(needsRehash(stored, COST + 1)).toBe(true);
});
