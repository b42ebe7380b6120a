import { hash as bcrypt } from 'bcryptjs';
import { afterEach, beforeEach, expect } from 'vitest';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import type { Account } from '#lib/item/account';
import type { Attempt, LoginAttempts } from '#lib/item/login-attempts';
import { verifyPasswordOf } from '#lib/login/password-login';
import { noteCost } from '#lib/password/cost';
import {
  accountKey,
  attemptsFromAddressKey,
  attemptsOfPairKey,
  attemptsOnNameKey,
  codeAttemptsFromAddressKey,
  codeAttemptsOfPairKey,
  passwordKey,
} from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { type AccountOverrides, by, COST, NOON, openTestTable } from '../support/engine.ts';

export const MINUTE = 60_000;
export const HERE = '192.0.2.1';
export const PASSWORD = 'correct horse';
export const WRONG = 'wrong password';
export const INVALID = { code: 'invalid_credentials' };
/** An attempt from {@link HERE} that has failed at {@link NOON}. */
export const MINE = { id: expect.any(String), at: NOON, from: HERE };

interface Named {
  readonly username: string;
}

/** The keys of the lists that an attempt from {@link HERE} counts in. */
export const LISTS = {
  pair: ({ username }: Named) => attemptsOfPairKey(username, HERE),
  address: () => attemptsFromAddressKey(HERE),
  name: ({ username }: Named) => attemptsOnNameKey(username),
};
export type List = keyof typeof LISTS;
/** The same for an attempt with a code. */
export const CODE_LISTS = {
  codePair: ({ username }: Named) => codeAttemptsOfPairKey(username, HERE),
  codeAddress: () => codeAttemptsFromAddressKey(HERE),
};
const ALL_LISTS = { ...LISTS, ...CODE_LISTS };
export type AnyList = keyof typeof ALL_LISTS;

/** Attempts of a second ago, each from another address. */
export const attempts = (n: number, each: Partial<Attempt> = {}): Attempt[] =>
  Array.from({ length: n }, (_, at) => ({ id: `${at}`, at: NOON - 1000, from: `10.0.0.${at}`, ...each }));

/** A test table with accounts that log in from {@link HERE}. */
export async function openLogin() {
  const bench = await openTestTable();
  const { table, wire, runtime, account, stored } = bench;
  const hash = await bcrypt(PASSWORD, COST);
  // Otherwise the first login would note the cost, by one more write.
  await noteCost(table, COST);

  beforeEach(async () => {
    for (const key of [attemptsFromAddressKey(HERE), codeAttemptsFromAddressKey(HERE)])
      await remove(table, key);
    wire.reset();
  });
  afterEach(() => wire.reset());

  const logIn = ({ username }: Named, password = PASSWORD) =>
    verifyPasswordOf(runtime, username, password, HERE, async (account) => account);

  return {
    ...bench,
    hash,
    logIn,
    refused: (of: Named, password?: string) => expect(logIn(of, password)).rejects.toMatchObject(INVALID),
    /** Creates an account with a password. */
    user: async (part: AccountOverrides = {}, itsHash = hash): Promise<Account> => {
      const item = await account(part);
      await put(table, passwordKey(item.username), { hash: itsHash });
      wire.reset();
      return item;
    },
    lockAndUnlock: async (it: Account) => {
      await lockAccount(runtime, it, by('admin'));
      return unlockAccount(runtime, await stored(it), by('admin'));
    },
    /** Stores lists of attempts. */
    given: async (of: Named, lists: Partial<Record<AnyList, Partial<LoginAttempts>>>) => {
      for (const [list, item] of Object.entries(lists))
        await put(table, ALL_LISTS[list as AnyList](of), { attempts: [], revision: 1, ...item });
      wire.reset();
    },
    /** The stored list; undefined if there is none. */
    listOf: (list: List, of: Named) => get(table, LISTS[list](of)),
    /** The stored attempts of the pair, the address and the name; or those with a code, of the first two. */
    storedAttempts: (of: Named, lists: typeof LISTS | typeof CODE_LISTS = LISTS) =>
      Promise.all(Object.values(lists).map(async (keyOf) => (await get(table, keyOf(of)))?.attempts)),
    endOf: async ({ username }: Named) => (await get(table, accountKey(username)))?.lockoutend,
    hashOf: async ({ username }: Named) => (await get(table, passwordKey(username)))?.hash,
  };
}

/** Whether a command writes this list. */
export const writes =
  (list: List) =>
  (input: Readonly<Record<string, unknown>>): boolean =>
    (input['Item'] as { SK?: { S?: string } } | undefined)?.SK?.S === LISTS[list]({ username: '' }).SK;
