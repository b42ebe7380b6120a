import bcrypt from 'bcryptjs';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Account } from '#lib/item/account';
import { noteCost, surveyCosts } from '#lib/password/cost';
import { setPassword } from '#lib/password/set-password';
import { accountKey, DIRECTORY, listingRanges, passwordCostKey, passwordKey } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { openLogin, PASSWORD } from '../login/bench.ts';

/** The setting is 10 here. */
const { table, wire, runtime, account, user, logIn, refused, operations } = await openLogin();

const noted = async () => (await get(table, passwordCostKey))?.cost;

beforeEach(() => remove(table, passwordCostKey));
afterEach(() => {
  vi.restoreAllMocks();
});

let dear: string;
let cheap: string;
beforeAll(async () => {
  dear = await bcrypt.hash(PASSWORD, 12);
  cheap = await bcrypt.hash(PASSWORD, 4);
});

const userWith = async (hash: string): Promise<Account> => {
  const ada = await user();
  await put(table, passwordKey(ada.username), { hash });
  wire.reset();
  return ada;
};

const emptyDirectory = async () => {
  for (const range of listingRanges(DIRECTORY, undefined))
    for (const { username } of await query(table, range)) await remove(table, accountKey(username));
};

/** The work of a refusal, in runs of the cost 0. */
async function workOf(username: string): Promise<number> {
  const compare = vi.spyOn(bcrypt, 'compare');
  await refused({ username }, 'wrong password');
  const work = compare.mock.calls.reduce((total, [, hash]) => total + 2 ** bcrypt.getRounds(hash), 0);
  compare.mockRestore();
  return work;
}

describe('a refusal takes the work of the dearest cost that is noted', () => {
  const names: Record<string, () => Promise<string>> = {
    'a name without an account': async () => 'nobody-of-this-name',
    'what can be no name': async () => 'no name\0',
    'an account without a password': async () => (await account()).username,
    'a hash of the cost that is set': async () => (await user()).username,
    'a dearer hash': async () => (await userWith(dear)).username,
    'a cheaper hash': async () => (await userWith(cheap)).username,
    'a locked account': async () => (await user({ lockoutend: '9999-12-31T23:59:59+00:00' })).username,
  };

  test.each(Object.entries(names))('%s', async (_, name) => {
    await noteCost(table, 12);
    expect(await workOf(await name())).toBe(2 ** 12);
  });

  test('or of the cost that is set, where none is noted', async () => {
    expect(await workOf('nobody-of-this-name')).toBe(2 ** 10);
  });
});

describe('a cost is noted', () => {
  test('as that which is set, by any login', async () => {
    await refused({ username: 'nobody-of-this-name' });
    expect(await noted()).toBe(10);
  });

  test('as that of a hash which an attempt has met', async () => {
    await refused(await userWith(dear), 'wrong password');
    expect(await noted()).toBe(12);
  });

  test('once, and only if it is dearer', async () => {
    await noteCost(table, 12);
    await noteCost(table, 10);
    expect(await noted()).toBe(12);
    wire.reset();
    await refused({ username: 'nobody-of-this-name' });
    expect(operations()).not.toContain('UpdateItem');
  });

  test('when an account is created with a password, and when one is set', async () => {
    await account();
    expect(await noted()).toBeUndefined();
    const ada = await account({ password: PASSWORD });
    expect(await noted()).toBe(10);
    await remove(table, passwordCostKey);
    await setPassword(runtime, ada, PASSWORD);
    expect(await noted()).toBe(10);
  });

  test('and stays, once its last hash was made again', async () => {
    const ada = await userWith(dear);
    await logIn(ada);
    expect(await noted()).toBe(12);
  });
});

describe('a survey', () => {
  test('counts the hashes of all accounts by their cost, and notes the dearest, for better or worse', async () => {
    await emptyDirectory();
    const names = await Promise.all(
      [dear, cheap, dear, undefined].map(async (hash) => {
        const { username } = await account();
        if (hash) await put(table, passwordKey(username), { hash });
        return username;
      }),
    );
    await noteCost(table, 14);
    expect(await surveyCosts(table)).toEqual([
      { cost: 4, passwords: 1 },
      { cost: 12, passwords: 2 },
    ]);
    expect(await noted()).toBe(12);
    for (const name of names) await remove(table, passwordKey(name));
    expect(await surveyCosts(table)).toEqual([]);
    expect(await noted()).toBe(0);
  });

  test('leaves a dearer cost that is noted meanwhile', async () => {
    await account();
    wire.script(async (operation) => {
      if (operation !== 'BatchGetItem') return undefined;
      wire.script(() => undefined);
      await noteCost(table, 14);
      return undefined;
    });
    await surveyCosts(table);
    expect(await noted()).toBe(14);
  });
});
