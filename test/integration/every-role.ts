import { readAccount } from '#lib/account/account';
import { changeMemberships } from '#lib/account/memberships';
import type { Role } from '#lib/contract/contract';
import type { Account } from '#lib/item/account';
import type { Runtime } from '#lib/runtime';

/** The roles with which a caller may send every request. */
export const EVERY_ROLE: readonly Role[] = ['sys_administrator', 'sys_tokens', 'sys_introspection'];

/** Gives the first administrator every role. */
export async function giveEveryRole(runtime: Pick<Runtime, 'table' | 'random'>): Promise<void> {
  const admin = (await readAccount(runtime.table, 'admin')) as Account;
  await changeMemberships(runtime, admin, { add: { roles: [...EVERY_ROLE] } });
}
