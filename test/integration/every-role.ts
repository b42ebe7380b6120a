import { readAccount } from '#lib/account/account';
import { changeMemberships } from '#lib/account/memberships';
import type { Role } from '#lib/contract/contract';
import type { Account } from '#lib/item/account';
import type { Table } from '#lib/table/table';

/** The roles with which a caller may send every request. */
export const EVERY_ROLE: readonly Role[] = ['sys_administrator', 'sys_tokens', 'sys_introspection'];

/** Gives the first administrator every role. */
export async function giveEveryRole(table: Table): Promise<void> {
  const admin = (await readAccount(table, 'admin')) as Account;
  await changeMemberships(table, admin, { add: { roles: [...EVERY_ROLE] } });
}
