import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Account, FOREVER } from '#lib/item/account';
import { countLockout } from '#lib/stats/slices';
import { assign } from '#lib/table/expressions';
import { accountKey } from '#lib/table/keys';
import type { Table } from '#lib/table/table';
import { transact } from '#lib/table/write';
import { withOffset } from '#lib/time';

/** Attributes that every change of the service counts as a transition; a temporary lockout is none. */
const STATE = ['apps', 'isactive', 'roles', 'teams'];

/** Changes attributes of a stored account, by one command; undefined removes one. */
export async function setAttributes(
  { client, name }: Table,
  { username }: Account,
  attributes: Partial<Account>,
): Promise<Account> {
  const isState = attributes.lockoutend === FOREVER || STATE.some((each) => each in attributes);
  const { UpdateExpression, ExpressionAttributeValues, ...others } = assign(attributes, { username });
  const counts = isState && !('transitions' in attributes);
  const { Attributes } = await client.send(
    new UpdateCommand({
      TableName: name,
      Key: { ...accountKey(username) },
      UpdateExpression: `${UpdateExpression}${counts ? ' ADD transitions :one' : ''}`,
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ...(counts && { ':one': 1 }) },
      ...others,
      ReturnValues: 'ALL_NEW',
    }),
  );
  return Attributes as Account;
}

/** Locks an account until a time, as failed logins do. */
export async function lockUntil(table: Table, account: Account, end: number): Promise<Account> {
  await transact(table, [await countLockout(table, account.username, end, end)]);
  return setAttributes(table, account, { lockoutend: withOffset(end) });
}
