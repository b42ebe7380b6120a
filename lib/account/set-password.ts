import type { Account } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { assign } from '../table/expressions.ts';
import { accountKey, passwordKey } from '../table/keys.ts';
import { transact } from '../table/write.ts';
import { noteCost } from './password-cost.ts';
import { hashPassword } from './password-hash.ts';

/**
 * Sets the password of an account; its sessions end at once.
 *
 * @throws Failure `invalid_request` for a password that cannot be one, `account_not_found`
 */
export async function setPassword(
  { table, uuid, settings }: Runtime,
  { id, username }: Account,
  password: string,
) {
  const hash = await hashPassword(password, username, settings.BcryptCost);
  await noteCost(table, settings.BcryptCost);
  await transact(table, [
    {
      Update: { Key: accountKey(username), ...assign({ stamp: uuid() }, { id }) },
      otherwise: 'account_not_found',
    },
    { Put: { Item: { ...passwordKey(username), hash } } },
  ]);
}
