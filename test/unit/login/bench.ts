import { hash as bcrypt } from 'bcryptjs';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Account } from '#lib/item/account';
import type { Attempt } from '#lib/item/login-attempts';
import { verifyPasswordOf } from '#lib/login/password-login';
import {
  accountKey,
  attemptsFromAddressKey,
  attemptsOfPairKey,
  attemptsOnNameKey,
  passwordKey,
} from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { DAY_MS } from '#lib/time';
import { NOON, openTestTable } from '../support/engine.ts';

export const HERE = '192.0.2.1';
export const PASSWORD = 'correct horse';
export const INVALID = { code: 'invalid_credentials' };
/** For a machine that is busy. */
export const PATIENT = { timeout: 60_000 };

interface Named {
  readonly username: string;
}

/** So many attempts a second ago, each from an address of its own. */
export const attempts = (n: number, each: Partial<Attempt> = {}): Attempt[] =>
  Array.from({ length: n }, (_, at) => ({ id: `${at}`, at: NOON - 1000, from: `10.0.0.${at}`, ...each }));

/** A test table with accounts that log in from one address, and the lists that their attempts count in. */
export async function openLogin() {
  const bench = await openTestTable();
  const { table, wire, runtime, account } = bench;
  const hash = await bcrypt(PASSWORD, 10);

  beforeEach(() => remove(table, attemptsFromAddressKey(HERE)));
  afterEach(() => wire.reset());

  const logIn = ({ username }: Named, password = PASSWORD) =>
    verifyPasswordOf(runtime, username, password, HERE);

  return {
    ...bench,
    logIn,
    refused: (of: Named, password?: string) => expect(logIn(of, password)).rejects.toMatchObject(INVALID),
    /** An account with a password, and whatever else is told of it. */
    user: async (part: Partial<Account> = {}): Promise<Account> => {
      const item = { ...(await account()), ...part };
      await put(table, accountKey(item.username), item);
      await put(table, passwordKey(item.username), { hash });
      wire.reset();
      return item;
    },
    onName: ({ username }: Named) => get(table, attemptsOnNameKey(username)),
    ofPair: ({ username }: Named) => get(table, attemptsOfPairKey(username, HERE)),
    fromHere: () => get(table, attemptsFromAddressKey(HERE)),
    endOf: async ({ username }: Named) => (await get(table, accountKey(username)))?.lockoutend,
    failedOnName: async ({ username }: Named, all: readonly Attempt[]) => {
      await put(table, attemptsOnNameKey(username), { attempts: all, revision: 1 });
      wire.reset();
    },
    failedFromHere: async ({ username }: Named, failed: number) => {
      const item = { attempts: attempts(failed, { from: HERE }), revision: 1 };
      await put(table, attemptsOfPairKey(username, HERE), item);
      wire.reset();
    },
    /** A login from the address has succeeded at a time. */
    knownHere: ({ username }: Named, known_at = NOON - DAY_MS) =>
      put(table, attemptsOfPairKey(username, HERE), { attempts: [], revision: 1, known_at }),
  };
}
