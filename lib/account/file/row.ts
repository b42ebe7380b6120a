import type { FilledIn } from '../../item/fields.ts';
import type { NamedItem } from '../directory/item.ts';
import type { Column } from './columns.ts';

/** What a row shows of an item of the directory with its names. */
export type Listed = Pick<
  NamedItem,
  | 'id'
  | 'username'
  | keyof FilledIn
  | 'emailconfirmed'
  | 'lockoutenabled'
  | 'kind'
  | 'owner'
  | 'isactive'
  | 'islocked'
  | 'lockoutending'
  | 'lock_reason'
  | 'lastActivity'
  | 'created_at'
  | 'cancelled_at'
  | 'cancelled_by'
> &
  Partial<Pick<NamedItem, 'app_names' | 'role_names' | 'team_shorts'>>;

const listOf = (names: readonly string[] = []) => names.join(' ');

/** Only an unlock ends the lock. */
const isEndless = (end: string | null) => end === null || end.startsWith('9999');

/** An account as a row of a spreadsheet: first the columns that import reads, then those that only the service fills. */
export const rowOf = ({ created_at, ...account }: Listed) =>
  ({
    username: account.username,
    user_first_name: account.user_first_name,
    user_last_name: account.user_last_name,
    user_short: account.user_short,
    phonenumber: account.phonenumber,
    user_color: account.user_color,
    user_currency: account.user_currency,
    emailconfirmed: account.emailconfirmed,
    lockoutenabled: account.lockoutenabled,
    apps: listOf(account.app_names),
    roles: listOf(account.role_names),
    teams: listOf(account.team_shorts),
    kind: account.kind,
    owner: account.owner,
    isactive: account.isactive,
    islocked: account.islocked,
    lockoutend: isEndless(account.lockoutending) ? null : account.lockoutending,
    lock_reason: account.lock_reason,
    // The time of the creation is that of an account that was never used.
    lastActivity: `${account.lastActivity}Z` === created_at ? null : `${account.lastActivity}Z`,
    created_at,
    cancelled_at: account.cancelled_at,
    cancelled_by: account.cancelled_by,
    id: account.id,
  }) satisfies Record<Column, unknown>;
