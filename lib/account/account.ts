import { accountKey, foldCase, type Key } from '../table/keys.ts';
import { get, getAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { Membership } from '../team/schema.ts';
import type { FilledIn } from './fields.ts';

/**
 * The account item: all that one authentication needs and all that the directory lists, in one read.
 * Attributes have the names of the interface; times are ISO 8601.
 */
export interface Account extends Key, FilledIn {
  readonly id: string;
  /** As created; unique without regard to case. */
  readonly username: string;
  /** Security stamp: session tokens carry it and die when it changes. */
  readonly stamp: string;
  readonly isactive: boolean;
  readonly lockoutenabled: boolean;
  /** End of the lockout, with offset; {@link FOREVER} when an administrator locked the account. */
  readonly lockoutend?: string;
  /** Login failures at or before this time count no more; in milliseconds since the epoch. */
  readonly failures_cleared_at?: number;
  /** UTC without a zone. */
  readonly lastActivity: string;
  readonly roles: readonly string[];
  readonly apps: readonly string[];
  readonly teams: readonly Membership[];
  readonly token_count: number;
  readonly emailconfirmed: boolean;
  /** The default team; empty without one. */
  readonly team_id: string;
  readonly team_name: string;
  readonly user_app_name: string;
  readonly user_home: string | null;
  readonly user_avatar: string | null;
  readonly created_at: string;
}

/** All of these stand in the account item, which every request reads, and in its events. */
export const MAX_TEAMS = 100;
export const MAX_ROLES = 100;
export const MAX_APPS = 100;

/** End of a lockout that only an administrator ends. */
export const FOREVER = '9999-12-31T23:59:59+00:00';

/** Locked by an administrator: authenticates with nothing. */
export const isLockedForGood = (account: Account) => account.lockoutend === FOREVER;

/** Locked now, for good or for a time. */
export const isLocked = (account: Account, now: number) =>
  account.lockoutend !== undefined && Date.parse(account.lockoutend) > now;

/** Whether the account may authenticate; a temporary lockout stops its password only. */
export const mayAuthenticate = (account: Account) => account.isactive && !isLockedForGood(account);

/** {@link mayAuthenticate} as a condition of DynamoDB, and the values of its placeholders. */
export const MAY_AUTHENTICATE = {
  condition: 'isactive = :true AND (attribute_not_exists(lockoutend) OR lockoutend <> :forever)',
  values: { ':true': true, ':forever': FOREVER },
} as const;

/** {@link lastActivity} in milliseconds since the epoch. */
export const lastActive = (account: Account) => Date.parse(`${account.lastActivity}Z`);

/** Usernames are unique without regard to case. */
export const sameUsername = (one: string, other: string) => foldCase(one) === foldCase(other);

/** One strongly consistent read. */
export const readAccount = (table: Table, username: string) => get<Account>(table, accountKey(username));

/** Several accounts in one strongly consistent round trip, in the order of `usernames`. */
export async function readAccounts(table: Table, usernames: readonly string[]) {
  if (usernames.length === 1) return [await readAccount(table, usernames[0] as string)];
  return (await getAll(table, usernames.map(accountKey))) as (Account | undefined)[];
}
