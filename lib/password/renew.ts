import type { Account, Password } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { expecting } from '../table/expressions.ts';
import { passwordKey } from '../table/keys.ts';
import { put } from '../table/write.ts';
import { hashable, hashPassword, isOutdated, mayBeCut } from './hash.ts';

/**
 * Recreates the hash of a verified password if it was imported or its cost is outdated, unless the password has changed.
 * An imported hash stays if bcrypt cannot read all of the password, or may have compared only a part of the one that the
 * other service hashed: the new hash would refuse the whole.
 */
export async function renewHash(
  { table, settings }: Pick<Runtime, 'table' | 'settings'>,
  { username }: Pick<Account, 'username'>,
  password: string,
  { hash: before }: Password,
): Promise<void> {
  const isDue = isOutdated(before, settings.BcryptCost) && !mayBeCut(password, before);
  const due = isDue ? hashable(password) : undefined;
  if (due === undefined) return;
  const hash = await hashPassword(due, settings.BcryptCost);
  await put(table, passwordKey(username), { hash }, expecting({ hash: before }));
}
