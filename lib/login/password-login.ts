import { isLocked } from '../account/account.ts';
import { isUsername } from '../account/identifiers.ts';
import { hashPassword, needsRehash, verifyPassword } from '../account/password-hash.ts';
import { isActivityDue, recordDailyActivity, recordSessionActivity, withinGrace } from '../auth/activity.ts';
import { bestEffort } from '../best-effort.ts';
import { Failure } from '../failure.ts';
import type { Account, Password } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { expecting } from '../table/expressions.ts';
import { accountKey, attemptsFromKey, attemptsKey, passwordKey } from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import { put } from '../table/write.ts';
import { countable, isLockedOut } from './attempts.ts';
import { lockForATime } from './lockout.ts';
import { reserveAttempt } from './reservation.ts';

/**
 * Verifies a password: one read, one write that reserves the attempt, one bcrypt, one write of its outcome. Unknown,
 * locked and cancelled accounts take the same and get the same answer.
 *
 * @param address source address of the request
 * @throws Failure `invalid_credentials`; `too_many_requests` for an attempt that is not even looked at nor counts
 */
export async function verifyPasswordOf(
  runtime: Runtime,
  username: string,
  password: string,
  address: string,
): Promise<Account> {
  const { now, settings } = runtime;
  const { fromAnywhere, fromAddress, account, stored } = await read(runtime, username, address);
  const clearedAt = account?.failures_cleared_at ?? 0;
  const failures = countable(fromAnywhere.item?.attempts ?? [], now(), clearedAt);
  const locked = !account?.isactive || isLocked(account, now());
  // So many have failed that the account is to be locked, which nobody may have written yet.
  const lockedOut = !locked && account.lockoutenabled && isLockedOut(failures, now());
  // What is tried while the account is locked stands apart: it makes no lockout longer.
  const lockable = !locked && account.lockoutenabled && !lockedOut;
  const list = { ...(lockable ? fromAnywhere : fromAddress), clearedAt };
  const reservation = await reserveAttempt(runtime, list, address);

  const matches = await verifyPassword(password, stored?.hash, settings.BcryptCost);
  if (locked || lockedOut || !matches) {
    const attempts = (await bestEffort(reservation.fail())) ?? [];
    if (lockedOut || (lockable && isLockedOut(attempts, now())))
      await lockForATime(runtime, username, clearedAt);
    throw new Failure('invalid_credentials');
  }

  await Promise.all([
    bestEffort(reservation.succeed()),
    withinGrace(recordLogin(runtime, account)),
    stored &&
      needsRehash(stored.hash, settings.BcryptCost) &&
      bestEffort(rehash(runtime, account, password, stored)),
  ]);
  return account;
}

/** Both lists that the attempt may count in, and what there is of the account, in one round trip. */
async function read({ table }: Runtime, username: string, address: string) {
  const anywhere = attemptsKey(username);
  const here = attemptsFromKey(username, address);
  const [all, ofAddress, account, stored] = isUsername(username)
    ? await getAll(table, [anywhere, here, accountKey(username), passwordKey(username)])
    : await getAll(table, [anywhere, here]);
  return {
    fromAnywhere: { key: anywhere, item: all },
    fromAddress: { key: here, item: ofAddress },
    account,
    stored,
  };
}

const recordLogin = (runtime: Runtime, account: Account) =>
  Promise.all([
    isActivityDue(account, runtime.now()) &&
      recordSessionActivity(runtime, account.username, account.id, account.stamp),
    recordDailyActivity(runtime, account),
  ]);

/** Hashes the password anew with the cost that is set now, unless it was changed meanwhile. */
async function rehash(
  { table, settings }: Runtime,
  { username }: Account,
  password: string,
  before: Password,
) {
  const hash = await hashPassword(password, username, settings.BcryptCost);
  await put(table, passwordKey(username), { hash }, expecting({ hash: before.hash }));
}
