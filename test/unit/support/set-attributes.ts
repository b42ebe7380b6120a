import type { Account } from '#lib/item/account';
import { countLockout } from '#lib/stats/slices';
import { assign } from '#lib/table/expressions';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { transact, update } from '#lib/table/write';
import { withOffset } from '#lib/time';

/** Changes attributes of a stored account; undefined removes one. */
export async function setAttributes(
  table: Table,
  { username }: Account,
  attributes: Partial<Account>,
): Promise<Account> {
  const key = accountKey(username);
  const failed = await update(table, { Key: key, ...assign(attributes, { username }) });
  if (failed) throw new Error(`There is no account ${username}`);
  return (await get(table, key)) as Account;
}

/** Locks an account until a time, as failed logins do. */
export async function lockUntil(table: Table, account: Account, end: number): Promise<Account> {
  await transact(table, [await countLockout(table, account.username, end, end)]);
  return setAttributes(table, account, { lockoutend: withOffset(end) });
}
