import { isAdministrator, keepingAdministrator } from '#lib/account/administrators';
import type { Account } from '#lib/item/account';
import { option } from '../options.ts';
import type { Target } from '../target.ts';

export type Force = { readonly force?: true };
export const FORCE = option('--force', 'allow it for the last active, unlocked administrator');

/**
 * The target of a command that demotes an account: without `force`, its writes fail unless another administrator remains.
 *
 * @throws Failure `last_administrator`
 */
export async function leaving<T extends Target>(target: T, account: Account, { force }: Force): Promise<T> {
  if (!account.roles.includes('sys_administrator')) return target;
  const runtime = { ...target.runtime };
  if (!force && isAdministrator(account, runtime.now()))
    runtime.table = await keepingAdministrator(runtime, account);
  return { ...target, runtime };
}
