import bcrypt from 'bcryptjs';
import { afterEach, expect, test, vi } from 'vitest';
import { hashPassword, newPassword, verifyPassword } from '#lib/password/hash';
import { COST } from '../support/engine.ts';

const PASSWORD = 'correct horse';
const hash = async (password: string, username = 'ada') =>
  hashPassword(newPassword(password, username), COST);

const stored = await hash(PASSWORD);
afterEach(() => vi.restoreAllMocks());

test.each([
  ['8 bytes', 'x'.repeat(8)],
  ['72 bytes', 'x'.repeat(72)],
  ['8 bytes in four characters', 'ääää'],
  ['spaces only', ' '.repeat(8)],
])('a new password may have %s', async (_title, password) => {
  expect(await verifyPassword(password, await hash(password), COST)).toBe(true);
});

const SHAPE = 'Must have 8 to 72 bytes, without NUL; a letter such as é has two';
const USERNAME = 'Must not be the username';
test.each([
  ['is empty', '', SHAPE],
  ['has 7 bytes', 'x'.repeat(7), SHAPE],
  ['has 73 bytes', 'x'.repeat(73), SHAPE],
  ['has 74 bytes in 37 characters', 'ä'.repeat(37), SHAPE],
  ['has 25 bytes that are 75 after NFKC', '\ufb03'.repeat(25), SHAPE],
  ['has a NUL', 'password\0rest', SHAPE],
  ['has half a surrogate pair', 'password\ud800', SHAPE],
  ['is the username', 'ada.lovelace', USERNAME],
  ['is the username in another case', 'ADA.LOVELACE', USERNAME],
  ['is the username in full-width letters', 'Ａｄａ.Lovelace', USERNAME],
])('a new password is refused when it %s', async (_title, password, message) => {
  await expect(hash(password, 'Ada.lovelace')).rejects.toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'password', message }],
  });
});

test('a password is normalised up to 1024 characters only', async () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  await expect(hash('x'.repeat(1025))).rejects.toThrow();
  expect(normalize).not.toHaveBeenCalled();
  await expect(hash('x'.repeat(1024))).rejects.toThrow();
  expect(normalize).toHaveBeenCalledOnce();
});

test('a verification accepts any spelling that is the same after NFKC', async () => {
  expect(await verifyPassword('pa\u0308sswo\u0308rd', await hash('pässwörd'), COST)).toBe(true);
});

const longest = hash('x'.repeat(72));
const ofEmpty = bcrypt.hash('', COST);
test.each<[string, string, unknown?]>([
  ['another password', 'correct horsf'],
  ['another case', 'Correct horse'],
  ['a space more', `${PASSWORD} `],
  ['an empty password', ''],
  ['more after a NUL', `${PASSWORD}\0x`],
  ['half a surrogate pair', `${PASSWORD}\ud800`],
  ['more bytes than bcrypt reads', 'x'.repeat(73), longest],
  ['an impossible password even with the hash of an empty one', 'a\0b', ofEmpty],
  ['an empty password without a hash', '', 'none'],
  ['every password without a hash', PASSWORD, 'none'],
])('a verification refuses %s', async (_title, password, against = stored) => {
  const known = against === 'none' ? undefined : ((await against) as string);
  expect(await verifyPassword(password, known, COST)).toBe(false);
});

test.each<
  [string, { password: string; isStored: boolean; cost: number; costs: number[]; imported?: number }]
>([
  ['the cost that is set', { password: PASSWORD, isStored: true, cost: COST, costs: [COST] }],
  ['the same cost for another password', { password: 'wrong', isStored: true, cost: COST, costs: [COST] }],
  ['the same cost for an empty password', { password: '', isStored: true, cost: COST, costs: [COST] }],
  [
    'the same cost for a password that is far too long',
    { password: 'x'.repeat(100_000), isStored: true, cost: COST, costs: [COST] },
  ],
  [
    'the difference to a higher cost as well',
    { password: PASSWORD, isStored: true, cost: COST + 2, costs: [COST, COST, COST + 1] },
  ],
  [
    'the cost of a hash that is higher',
    { password: PASSWORD, isStored: true, cost: COST - 1, costs: [COST] },
  ],
  [
    'the cost that is set without a hash',
    { password: PASSWORD, isStored: false, cost: COST + 1, costs: [COST + 1] },
  ],
  [
    'the same cost for an impossible password',
    { password: 'a\0b', isStored: true, cost: COST, costs: [COST] },
  ],
  [
    'the same cost for an impossible password without a hash',
    { password: 'a\0b', isStored: false, cost: COST, costs: [COST] },
  ],
  [
    'the work of both spellings when the first matches',
    { password: 'ｃorrect horse', isStored: true, cost: COST, costs: [COST, COST], imported: COST },
  ],
])('a verification takes %s', async (_title, { password, isStored, cost, costs, imported = 0 }) => {
  const compare = vi.spyOn(bcrypt, 'compare');
  await verifyPassword(password, isStored ? stored : undefined, cost, { imported });
  const hashes = compare.mock.calls.map(([, compared]) => compared);
  expect(hashes.map(bcrypt.getRounds)).toEqual(costs);
  for (const compared of hashes) expect(compared).toMatch(/^\$2b\$\d\d\$[./A-Za-z0-9]{53}$/);
});
