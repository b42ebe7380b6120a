import bcrypt from 'bcryptjs';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { costOf, hashPassword, newPassword, verifyPassword } from '#lib/password/hash';

const COST = 10;
const hash = async (password: string, username = 'ada') =>
  hashPassword(newPassword(password, username), COST);

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

  test('that can be none is not the empty one, whatever is on record', async () => {
    expect(await verifyPassword('a\0b', await bcrypt.hash('', COST), COST)).toBe(false);
  });

  test('without a password on record is refused, whatever is tried', async () => {
    for (const password of ['', 'correct horse'])
      expect(await verifyPassword(password, undefined, COST)).toBe(false);
  });
});

describe('the work of a login', () => {
  afterEach(() => vi.restoreAllMocks());

  /** The costs of all comparisons that a verification makes. */
  async function costsOf(password: string, against: string | undefined, cost: number) {
    const compare = vi.spyOn(bcrypt, 'compare');
    await verifyPassword(password, against, cost);
    return compare.mock.calls.map(([, compared]) => bcrypt.getRounds(compared));
  }

  test.each<[string, string, boolean, number, number[]]>([
    ['of a hash of the cost that is set', 'correct horse', true, 10, [10]],
    ['of another password', 'wrong', true, 10, [10]],
    ['of no password', '', true, 10, [10]],
    ['of a password that is far too long', 'x'.repeat(100_000), true, 10, [10]],
    ['of a lower cost, which is made up for', 'correct horse', true, 12, [10, 10, 11]],
    ['of a higher cost', 'correct horse', true, 9, [10]],
    ['without a hash', 'correct horse', false, 11, [11]],
    ['with what can be no password', 'a\0b', true, 10, [10]],
    ['with what can be no password, without a hash', 'a\0b', false, 10, [10]],
  ])('%s', async (_what, password, known, cost, costs) => {
    expect(await costsOf(password, known ? await hash('correct horse') : undefined, cost)).toEqual(costs);
  });

  test('compares with a hash that bcrypt could have made, where there is none', async () => {
    const compare = vi.spyOn(bcrypt, 'compare');
    await verifyPassword('correct horse', undefined, COST);
    expect(compare.mock.calls).toEqual([
      ['correct horse', expect.stringMatching(/^\$2b\$10\$[./A-Za-z0-9]{53}$/)],
    ]);
  });

  test('does not begin with normalising what is longer than 1024', async () => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    await expect(hash('x'.repeat(1025))).rejects.toThrow();
    expect(normalize).not.toHaveBeenCalled();
    await expect(hash('x'.repeat(1024))).rejects.toThrow();
    expect(normalize).toHaveBeenCalledOnce();
  });
});

test('a refused password is told what it must be', async () => {
  await expect(hash('short')).rejects.toMatchObject({
    errors: [{ message: 'Must be 8 to 72 bytes of well-formed UTF-8 without NUL' }],
  });
  await expect(hash('lovelace', 'Lovelace')).rejects.toMatchObject({
    errors: [{ message: 'Must not be the username' }],
  });
});

test('a hash has the cost that it is asked for', async () => {
  const made = await hashPassword(newPassword('correct horse', 'ada'), 11);
  expect(made).toMatch(/^\$2b\$11\$/);
  expect(costOf(made)).toBe(11);
});
