import bcrypt from 'bcryptjs';
import { beforeEach, expect, test } from 'vitest';
import { noteCost, noteCosts, surveyCosts } from '#lib/password/cost';
import { costIn } from '#lib/password/imported';
import { setPassword } from '#lib/password/set-password';
import { accountKey, DIRECTORY, listingRanges, passwordCostKey, passwordKey } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { openLogin, PASSWORD, WRONG } from '../login/bench.ts';
import { identityV2, identityV3 } from '../support/identity-hash.ts';

const { table, wire, runtime, account, user, logIn, refused, operations } = await openLogin();

const SET = runtime.settings.BcryptCost;
const HIGH = SET + 2;
const LOW = 4;
const NOBODY = { username: 'nobody-of-this-name' };
async function noted() {
  const { PK: _, SK: __, ...costs } = ((await get(table, passwordCostKey)) ?? {}) as Record<string, unknown>;
  return costs;
}

beforeEach(() => remove(table, passwordCostKey));

const expensive = await bcrypt.hash(PASSWORD, HIGH);
const cheap = await bcrypt.hash(PASSWORD, LOW);

const imported = identityV3(PASSWORD, { prf: 2 });

test.each<[string, () => Promise<unknown>, number | undefined, kind?: string]>([
  ['that is set, by any login', () => refused(NOBODY), SET],
  ['of a hash that an attempt has read', async () => refused(await user({}, expensive), WRONG), HIGH],
  ['of an imported hash', async () => refused(await user({}, imported), WRONG), 10_000, 'sha512'],
  ['of a hash that a login recreates', async () => logIn(await user({}, expensive)), HIGH],
  ['that is set, by the creation of a password', () => account({ password: PASSWORD }), SET],
  ['by no creation of an account without a password', () => account(), undefined],
  ['that is set, by a new password', async () => setPassword(runtime, await account(), PASSWORD), SET],
])('a cost is noted %s', async (_title, act, cost, kind = 'cost') => {
  await act();
  expect((await noted())[kind]).toBe(cost);
});

test.each<[string, () => Promise<unknown>]>([
  ['of a new account', () => account({ password: PASSWORD })],
  ['of a new password', async () => setPassword(runtime, await account(), PASSWORD)],
])('a cost is noted before the hash %s is stored', async (_title, act) => {
  let before: unknown;
  wire.script(async (operation) => {
    if (operation === 'TransactWriteItems') before = await noted();
    return undefined;
  });
  await act();
  expect(before).toEqual({ cost: SET });
});

test('a cost is noted only once, and only when it is higher', async () => {
  await noteCost(table, HIGH);
  await noteCost(table, SET);
  expect(await noted()).toEqual({ cost: HIGH });
  wire.reset();
  await refused(NOBODY);
  expect(operations()).not.toContain('UpdateItem');
});

const emptyDirectory = async () => {
  for (const range of listingRanges(DIRECTORY, undefined))
    for (const { username } of await query(table, range)) await remove(table, accountKey(username));
};

test('a survey counts the hashes of all accounts by their cost, and notes the highest', async () => {
  await emptyDirectory();
  await account();
  const users = await Promise.all([expensive, expensive, cheap].map((hash) => user({}, hash)));
  await noteCost(table, HIGH + 2);
  expect(await surveyCosts(table)).toEqual([
    { cost: LOW, passwords: 1 },
    { cost: HIGH, passwords: 2 },
  ]);
  expect(await noted()).toEqual({ cost: HIGH });
  for (const { username } of users) await remove(table, passwordKey(username));
  expect(await surveyCosts(table)).toEqual([]);
  expect(await noted()).toEqual({ cost: 0 });
});

test('a survey counts imported hashes by their kind, and lowers their costs to those that remain', async () => {
  await emptyDirectory();
  const ofOthers = cheap.replace('$2b', '$2y');
  const hashes = [cheap, ofOthers, identityV2(PASSWORD), identityV2(WRONG), identityV3(PASSWORD)];
  const users = await Promise.all(hashes.map((hash) => user({}, hash)));
  await noteCosts(table, hashes.map(costIn));
  await noteCosts(table, [{ kind: 'sha256', cost: 500_000 }]);
  expect(await noted()).toEqual({ cost: LOW, imported: LOW, sha1: 2000, sha256: 500_000 });
  expect(await surveyCosts(table)).toEqual([
    { cost: LOW, passwords: 1 },
    { cost: LOW, passwords: 1, kind: 'imported bcrypt' },
    { cost: 2000, passwords: 2, kind: 'PBKDF2-HMAC-SHA1' },
    { cost: 10_000, passwords: 1, kind: 'PBKDF2-HMAC-SHA256' },
  ]);
  expect(await noted()).toEqual({ cost: LOW, imported: LOW, sha1: 2000, sha256: 10_000 });
  for (const { username } of users) await remove(table, passwordKey(username));
  await surveyCosts(table);
  expect(await noted()).toEqual({ cost: 0 });
});

test.each([
  ['cost', HIGH],
  ['imported', LOW],
  ['sha512', 1000],
] as const)('a survey keeps a higher cost of the kind %s that is noted meanwhile', async (kind, cost) => {
  await account();
  wire.before('BatchGetItem', () => noteCost(table, cost, kind));
  await surveyCosts(table);
  expect(await noted()).toMatchObject({ [kind]: cost });
});
