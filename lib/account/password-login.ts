import { isActivityDue, noteDay, noteSession, withinGrace } from '../auth/activity.ts';
import { hashPassword, needsRehash, type PasswordItem, verifyPassword } from '../auth/password.ts';
import { lockAccount } from '../auth/tries.ts';
import { reserveTry, type TriesItem } from '../auth/try-reservation.ts';
import { Failure } from '../failure.ts';
import { quietly } from '../quietly.ts';
import type { Runtime } from '../runtime.ts';
import { expecting } from '../table/expressions.ts';
import { accountKey, passwordKey, triesKey } from '../table/keys.ts';
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
  const keys = isUsername(username) ? [accountKey(username), passwordKey(username)] : [];
  const [tries, account, stored] = (await getAll(table, [triesKey(username), ...keys])) as [
    TriesItem?,
    Account?,
    PasswordItem?,
  ];
  const locked = account !== undefined && isLocked(account, now());
  const lockable = !locked && account?.lockoutenabled === true;
  const clearedAt = account?.failures_cleared_at ?? 0;
  const trying = { username, address, clearedAt, locked, lockable };
  const reservation = await reserveTry(runtime, trying, tries);

  const matches = await verifyPassword(password, stored?.hash, settings.BcryptCost);
  if (!account?.isactive || locked || reservation.lockedOut || !matches) {
    const failed = (await quietly(reservation.fail())) ?? [];
    if (lockable && lockAccount(failed, now())) await lockForATime(runtime, username);
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
