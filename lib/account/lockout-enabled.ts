import { Failure } from '../failure/failure.ts';
import type { Account } from '../item/account.ts';
import { assign } from '../table/expressions.ts';
import { accountKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { update } from '../table/write.ts';

/**
 * Sets whether failed logins can lock the password of an account for a time. A lockout that has begun stays.
 *
 * @throws Failure `account_not_found`
 */
export async function setLockoutEnabled(table: Table, account: Account, lockoutenabled: boolean) {
  const { id, username } = account;
  const failed = await update(table, { Key: accountKey(username), ...assign({ lockoutenabled }, { id }) });
  if (failed) throw new Failure('account_not_found');
  return { ...account, lockoutenabled };
}
