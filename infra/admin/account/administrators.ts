import { sameUsername } from '#lib/account/account';
import { isAdministrator, keepingAdministrator } from '#lib/account/administrators';
import type { Account } from '#lib/item/account';
import { tokensSince } from '#lib/token/revoke';
import { option } from '../options.ts';
import type { Target } from '../target.ts';
import { counted } from '../terminal/progress.ts';

export type Force = { readonly force?: true };
export const FORCE = option('--force', 'allow it for the last active, unlocked administrator');

/**
 * The target of a command that demotes an account: without `force`, its writes fail unless another administrator remains.
 * Reports the tokens that the account has created for others, which stay valid.
 *
 * @throws Failure `last_administrator`
 */
export async function leaving<T extends Target>(target: T, account: Account, { force }: Force): Promise<T> {
  const { username, roles } = account;
  if (!roles.includes('sys_administrator')) return target;
  const runtime = { ...target.runtime };
  if (!force && isAdministrator(account, runtime.now()))
    runtime.table = await keepingAdministrator(runtime, account);
  const { found } = await tokensSince(runtime, 0, username);
  const others = found.filter((token) => !sameUsername(token.username, username)).length;
  if (others > 0)
    console.error(
      `${username} has created ${counted(others, 'token')} of other accounts, which stay valid: "token revoke --created-by ${username}" deletes them`,
    );
  return { ...target, runtime };
}
