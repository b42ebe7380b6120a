import type { Account } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { assign, expecting } from '../table/expressions.ts';
import { accountKey, formerPasswordKey, passwordKey } from '../table/keys.ts';
import { allUsernames } from '../table/listing.ts';
import { getAll, MAX_BATCH } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { put, remove, transact } from '../table/write.ts';
import { noteCost } from './cost.ts';
import { hashPassword, newPassword } from './hash.ts';

/**
 * Sets the password of an account; its sessions end at once.
 *
 * @throws Failure `invalid_request` for an invalid password, `account_not_found`
 */
export async function setPassword(
  { table, uuid, settings }: Runtime,
  { id, username }: Account,
  password: string,
) {
  const hash = await hashPassword(newPassword(password, username), settings.BcryptCost);
  await noteCost(table, settings.BcryptCost);
  await transact(table, [
    {
      Update: { Key: accountKey(username), ...assign({ stamp: uuid() }, { id }) },
      otherwise: 'account_not_found',
    },
    { Put: { Item: { ...passwordKey(username), hash } } },
    { Delete: { Key: { ...formerPasswordKey(username) } } },
  ]);
}

/**
 * Moves a hash from its former place, where earlier versions stored it, unless the account has a newer one. It is
 * written before it is removed, so that readers of both places always find it.
 */
export async function movePassword(table: Table, username: string, hash: string): Promise<void> {
  await put(table, passwordKey(username), { hash }, expecting({ hash: undefined }));
  await remove(table, formerPasswordKey(username));
}

/**
 * Moves the hashes of all accounts from their former place. It reads the whole directory; after an interruption the
 * next call moves the rest.
 *
 * @returns the number of moved hashes
 */
export async function movePasswords(table: Table) {
  let moved = 0;
  for await (const names of allUsernames(table, MAX_BATCH)) {
    const left = (await getAll(table, names.map(formerPasswordKey))).flatMap((stored, index) =>
      stored ? [{ username: names[index] as string, hash: stored.hash }] : [],
    );
    await Promise.all(left.map(({ username, hash }) => movePassword(table, username, hash)));
    moved += left.length;
  }
  return { moved };
}
