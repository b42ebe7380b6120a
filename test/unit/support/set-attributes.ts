import { type Account, FOREVER } from '#lib/item/account';
import { countLockout } from '#lib/stats/slices';
import { assign } from '#lib/table/expressions';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { transact, update } from '#lib/table/write';
import { withOffset } from '#lib/time';

/** Attributes that every change of the service counts as a transition; a temporary lockout is none. */
const STATE = ['apps', 'isactive', 'roles', 'teams'];

/** Changes attributes of a stored account; undefined removes one. */
export async function setAttributes(
  table: Table,
  { username }: Account,
  attributes: Partial<Account>,
): Promise<Account> {
  const key = accountKey(username);
  const { transitions = 0 } = (await get(table, key)) ?? {};
  const isState = attributes.lockoutend === FOREVER || STATE.some((name) => name in attributes);
  const counted = isState ? { transitions: transitions + 1 } : {};
  const failed = await update(table, { Key: key, ...assign({ ...counted, ...attributes }, { username }) });
  if (failed) throw new Error(`There is no account ${username}`);
  return (await get(table, key)) as Account;
}

/** Locks an account until a time, as failed logins do. */
export async function lockUntil(table: Table, account: Account, end: number): Promise<Account> {
  await transact(table, [await countLockout(table, account.username, end, end)]);
  return setAttributes(table, account, { lockoutend: withOffset(end) });
}
