import type { Account } from '../item/account.ts';
import { accountKey } from '../table/keys.ts';
import { get, getAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { foldCase } from '../text/fold-case.ts';

/**
 * The condition that an account exists with the state, roles, applications and teams as read. Every change of these
 * increments `transitions`. The condition names only this counter, since the role of a function may set every attribute that
 * its conditions name.
 */
export const asRead = ({ username, transitions }: Account) => ({ PK: accountKey(username).PK, transitions });

/** The last activity of an account in milliseconds since the epoch. */
export const lastActive = (account: Account) => Date.parse(`${account.lastActivity}Z`);

/** Whether the account was never used. Earlier versions recorded no use within a minute of the creation. */
export const isUnused = ({ never_used, lastActivity, created_at }: Account) =>
  never_used ?? lastActivity === created_at;

/** Usernames are unique without regard to case. */
export const sameUsername = (one: string, other: string) => foldCase(one) === foldCase(other);

/** One strongly consistent read. */
export const readAccount = (table: Table, username: string) => get(table, accountKey(username));

/** Several accounts, strongly consistent, in the order of `usernames`; up to a hundred are one round trip. */
export const readAccounts = async (table: Table, usernames: readonly string[]) =>
  usernames.length === 1
    ? [await readAccount(table, usernames[0] as string)]
    : getAll(table, usernames.map(accountKey));
