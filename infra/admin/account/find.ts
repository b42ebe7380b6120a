import { readAccount } from '#lib/account/account';
import { isUsername } from '#lib/account/identifiers';
import { Failure } from '#lib/failure/failure';
import type { Account } from '#lib/item/account';
import type { Target } from '../target.ts';

/** @throws Failure `account_not_found` */
export async function find({ runtime }: Pick<Target, 'runtime'>, username: string): Promise<Account> {
  const account = isUsername(username) ? await readAccount(runtime.table, username) : undefined;
  if (!account) throw new Failure('account_not_found');
  return account;
}
