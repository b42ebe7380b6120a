import { Failure } from '../failure/failure.ts';
import { type Account, mayAuthenticate } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { DIRECTORY } from '../table/keys.ts';
import { everythingIn } from '../table/listing.ts';
import type { Table } from '../table/table.ts';
import { stillPermitted } from './caller.ts';

/** Whether an account is an active, unlocked administrator. */
export const isAdministrator = (account: Account, now: number) =>
  account.roles.includes('sys_administrator') && mayAuthenticate(account, now);

/**
 * A handle of the table for changes that demote `leaving`. They fail unless another administrator exists at that moment,
 * so changes in parallel cannot remove the last two. Reads the directory until it finds the other account.
 *
 * @throws Failure `last_administrator`
 */
export async function keepingAdministrator(
  { table, now }: Pick<Runtime, 'table' | 'now'>,
  leaving: Account,
): Promise<Table> {
  for await (const accounts of everythingIn(table, DIRECTORY)) {
    const other = accounts.find((each) => isAdministrator(each, now()) && each.id !== leaving.id);
    // If the other account has just lost the role, a third one may still have it: the request may be repeated.
    const otherwise = () => new Failure('unavailable', { retryAfter: 1 });
    const next = table.guard;
    if (other)
      return { ...table, guard: { ...stillPermitted(other, 'sys_administrator', now), otherwise, next } };
  }
  throw new Failure('last_administrator');
}
