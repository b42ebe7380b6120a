import { isActivityDue, noteDay, noteSession, withinGrace } from '../auth/activity.ts';
import { hashPassword, needsRehash, type PasswordItem, verifyPassword } from '../auth/password.ts';
import { isLockedOut, remembered } from '../auth/tries.ts';
import { reserveTry, type TriesItem } from '../auth/try-reservation.ts';
import { Failure } from '../failure.ts';
import { quietly } from '../quietly.ts';
import type { Runtime } from '../runtime.ts';
import { expecting } from '../table/expressions.ts';
import { accountKey, passwordKey, triesFromKey, triesKey } from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import { put } from '../table/write.ts';
import { type Account, isLocked } from './account.ts';
import { lockForATime } from './lockout.ts';
import { isUsername } from './names.ts';

/**
 * Verifies a password: one read, one write that reserves the try, one bcrypt, one write of its outcome. Unknown,
 * locked and cancelled accounts take the same and get the same answer.
 *
 * @param address source address of the request
 * @throws Failure `invalid_credentials`; `too_many_requests` for a try that is refused unread and does not count
 */
export async function verifyPasswordOf(
  runtime: Runtime,
  username: string,
  password: string,
  address: string,
): Promise<Account> {
  const { table, now, settings } = runtime;
  const tryKeys = [triesKey(username), triesFromKey(username, address)] as const;
  const keys = isUsername(username) ? [accountKey(username), passwordKey(username)] : [];
  const [fromAnywhere, fromAddress, account, stored] = (await getAll(table, [...tryKeys, ...keys])) as [
    TriesItem?,
    TriesItem?,
    Account?,
    PasswordItem?,
  ];
  const clearedAt = account?.failures_cleared_at ?? 0;
  const failures = remembered(fromAnywhere?.tries ?? [], now(), clearedAt);
  const locked = !account?.isactive || isLocked(account, now());
  // So many have failed that the account is to be locked, which nobody may have written yet.
  const lockedOut = !locked && account.lockoutenabled && isLockedOut(failures, now());
  // What is tried while the account is locked stands apart: it makes no lockout longer.
  const lockable = !locked && account.lockoutenabled && !lockedOut;
  const [key, item] = lockable ? [tryKeys[0], fromAnywhere] : [tryKeys[1], fromAddress];
  const reservation = await reserveTry(runtime, { key, item, address, clearedAt });

  const matches = await verifyPassword(password, stored?.hash, settings.BcryptCost);
  if (locked || lockedOut || !matches) {
    const tries = (await quietly(reservation.fail())) ?? [];
    if (lockedOut || (lockable && isLockedOut(tries, now())))
      await lockForATime(runtime, username, clearedAt);
    throw new Failure('invalid_credentials');
  }

  await Promise.all([
    quietly(reservation.succeed()),
    withinGrace(noteLogin(runtime, account)),
    stored &&
      needsRehash(stored.hash, settings.BcryptCost) &&
      quietly(rehash(runtime, account, password, stored)),
  ]);
  return account;
}

const noteLogin = (runtime: Runtime, account: Account) =>
  Promise.all([
    isActivityDue(account, runtime.now()) &&
      noteSession(runtime, account.username, account.id, account.stamp),
    noteDay(runtime, account),
  ]);

/** Hashes the password anew with the cost that is set now, unless it was changed meanwhile. */
async function rehash(
  { table, settings }: Runtime,
  { username }: Account,
  password: string,
  before: PasswordItem,
) {
  await put(table, {
    Item: { ...passwordKey(username), hash: await hashPassword(password, username, settings.BcryptCost) },
    ...expecting({ hash: before.hash }),
  });
}
