import crypto from 'node:crypto';
import bcrypt from 'bcryptjs';
import { beforeEach, expect, test, vi } from 'vitest';
import { FOREVER } from '#lib/item/account';
import { passwordCostKey, passwordKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { identityV2, identityV3 } from '../support/identity-hash.ts';
import { openLogin, PASSWORD, WRONG } from './bench.ts';

const { table, runtime, account, user, logIn, refused, hashOf } = await openLogin();

const SET = runtime.settings.BcryptCost;
const LONG = 'x'.repeat(73);
/** Another text after NFKC, with the ligature of ffi. */
const RAW = 'o\ufb03cers';
const other = async (password: string, cost = 4) => (await bcrypt.hash(password, cost)).replace('$2b', '$2y');
const OF_OTHERS = await other(PASSWORD);
const HIGH = await other(PASSWORD, SET + 1);

beforeEach(() => put(table, passwordCostKey, { cost: SET }));

test.each<[string, string, string]>([
  ['V2', PASSWORD, identityV2(PASSWORD)],
  ['V3', PASSWORD, identityV3(PASSWORD)],
  ['bcrypt of others', PASSWORD, OF_OTHERS],
  ['bcrypt of others with the cost that is set', PASSWORD, await other(PASSWORD, SET)],
  ['a short password', 'x', identityV2('x')],
  ['a password that is hashed as given', RAW, identityV3(RAW)],
])('a login with the hash of %s succeeds and replaces it', async (_title, password, imported) => {
  const ada = await user({}, imported);
  await refused(ada, `${password}.`);
  expect(await hashOf(ada)).toBe(imported);
  await logIn(ada, password);
  const renewed = await hashOf(ada);
  expect(renewed).toContain(`$2b$0${SET}$`);
  await logIn(ada, password);
  expect(await hashOf(ada)).toBe(renewed);
});

test('a login replaces an imported hash when the password is the username', async () => {
  const { username } = await account();
  await put(table, passwordKey(username), { hash: identityV2(username) });
  await logIn({ username }, username);
  expect(await hashOf({ username })).toContain(`$2b$0${SET}$`);
});

test('a login keeps an imported hash when the password is too long for bcrypt', async () => {
  for (const imported of [identityV2(LONG), await other(LONG)]) {
    const ada = await user({}, imported);
    for (let n = 0; n < 2; n++) await logIn(ada, LONG);
    expect(await hashOf(ada)).toBe(imported);
  }
});

/** Fewer bytes than bcrypt reads after NFKC, but not before. */
const WIDE = '\uff21'.repeat(24);

test.each([
  ['is entered with the bytes that bcrypt reads', LONG.slice(1), LONG],
  ['has these bytes before NFKC', WIDE, `${WIDE}\uff22`],
])('a login keeps an imported bcrypt hash when the password %s', async (_title, cut, full) => {
  const ada = await user({}, await other(full));
  await logIn(ada, cut);
  await logIn(ada, full);
});

test.each<[string, string, string]>([
  ['of PBKDF2', LONG.slice(1), identityV2(LONG.slice(1))],
  ['of bcrypt with a byte less', LONG.slice(2), await other(LONG.slice(2))],
])(
  'a login replaces an imported hash %s when the hash has read all bytes',
  async (_title, password, imported) => {
    const ada = await user({}, imported);
    await logIn(ada, password);
    expect(await hashOf(ada)).toContain(`$2b$0${SET}$`);
  },
);

const NO_WORK = { bcrypt: 0, sha1: 0, sha256: 0, sha512: 0 };
const BLOCKS = { sha1: 20, sha256: 32, sha512: 64 };

/** The work of a refusal: bcrypt in runs of the cost 0, PBKDF2 in rounds. */
async function workOf(of: { username: string }, password: string) {
  const compare = vi.spyOn(bcrypt, 'compare');
  const pbkdf2 = vi.spyOn(crypto, 'pbkdf2');
  await refused(of, password);
  const work = { ...NO_WORK };
  for (const [, compared] of compare.mock.calls) {
    // bcryptjs compares nothing with a hash of another length.
    expect(compared).toHaveLength(60);
    work.bcrypt += 2 ** bcrypt.getRounds(compared);
  }
  for (const [, , iterations, bytes, digest] of pbkdf2.mock.calls)
    work[digest as 'sha1'] += iterations * Math.ceil(bytes / BLOCKS[digest as 'sha1']);
  vi.restoreAllMocks();
  return work;
}

let nobodies = 0;
const NOBODY = async () => ({ username: `nobody-${nobodies++}` });

test.each<[string, () => Promise<{ username: string }>]>([
  ['a username without an account', NOBODY],
  ['a username that no account can have', async () => ({ username: 'no name\0' })],
  ['an account without a password', () => account()],
  ['a hash of this service', () => user()],
  ['bcrypt of others', () => user({}, OF_OTHERS)],
  ['bcrypt of others with the highest cost', () => user({}, HIGH)],
  ['V2', () => user({}, identityV2(PASSWORD))],
  ['V3 with SHA-256', () => user({}, identityV3(PASSWORD))],
  ['V3 with SHA-512', () => user({}, identityV3(PASSWORD, { prf: 2, length: 16 }))],
  ['a cancelled account', () => user({ isactive: false }, identityV3(PASSWORD))],
])('a wrong password costs the work of all kinds in use for %s', async (_title, of) => {
  const rounds = { sha1: 4000, sha256: 12_000, sha512: 10_000 };
  await put(table, passwordCostKey, { cost: SET, imported: SET + 1, ...rounds });
  const it = await of();
  const once = { bcrypt: 2 ** (SET + 1), ...rounds };
  for (const password of [WRONG, 'a\0b', LONG]) expect(await workOf(it, password)).toEqual(once);
  // In two spellings.
  const twice = { bcrypt: 2 ** (SET + 2), sha1: 8000, sha256: 24_000, sha512: 20_000 };
  expect(await workOf(it, RAW)).toEqual(twice);
});

test('the right password of a locked account costs the work of a wrong one', async () => {
  await put(table, passwordCostKey, { cost: SET, sha256: 10_000 });
  for (const hashed of [RAW.normalize('NFKC'), RAW]) {
    const locked = await user({ lockoutend: FOREVER }, identityV3(hashed));
    expect(await workOf(locked, RAW)).toEqual(await workOf(await NOBODY(), RAW));
  }
});

test('a wrong password costs the work of bcrypt only when no hash was imported', async () => {
  for (const password of [WRONG, RAW, 'a\0b', LONG])
    for (const of of [NOBODY, user])
      expect(await workOf(await of(), password)).toEqual({ ...NO_WORK, bcrypt: 2 ** SET });
});
