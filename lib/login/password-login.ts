import { isLocked, mayAuthenticate } from '../account/account.ts';
import { isUsername } from '../account/identifiers.ts';
import { recordUse, withinGrace } from '../auth/activity.ts';
import { bestEffort } from '../best-effort.ts';
import { concerning, Failure } from '../failure.ts';
import type { Account, Password } from '../item/account.ts';
import { highestCost, noteCost } from '../password/cost.ts';
import { costOf, hashPassword, newPassword, verifyPassword } from '../password/hash.ts';
import { movePassword } from '../password/set-password.ts';
import type { Runtime } from '../runtime.ts';
import { expecting } from '../table/expressions.ts';
import {
  accountKey,
  attemptsFromAddressKey,
  attemptsOfPairKey,
  attemptsOnNameKey,
  formerPasswordKey,
  passwordCostKey,
  passwordKey,
} from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import { put } from '../table/write.ts';
import { PER_ADDRESS, PER_NAME, PER_PAIR } from './attempts.ts';
import { lockForATime } from './lockout.ts';
import { type AttemptLists, type Places, reservePlaces } from './places.ts';

/**
 * Verifies a password: one read, up to three parallel writes that reserve the attempt, one bcrypt comparison, and as
 * many parallel writes of its outcome.
 * Unknown, locked and cancelled accounts take the same time and get the same answer.
 *
 * @param address source address of the request
 * @throws Failure `invalid_credentials`; `too_many_requests` for an attempt that is not verified and does not count
 */
export async function verifyPasswordOf(
  runtime: Runtime,
  username: string,
  password: string,
  address: string,
): Promise<Account> {
  const { now, settings } = runtime;
  const { lists, ...before } = await read(runtime, username, address);
  const clearedAt = before.account?.failures_cleared_at ?? 0;
  const about = before.account?.username;
  const places = await reservePlaces(runtime, lists(clearedAt), address).catch(concerning(about));
  // The account may have been locked while this attempt waited.
  const { account, stored } = places.waited ? await readAccountOf(runtime, username) : before;

  const matches = await verifyPassword(password, stored?.hash, highestCost(before.noted, settings));
  // The current cost is noted as well, because its hashes remain when the setting changes.
  const inUse = Math.max(settings.BcryptCost, stored ? costOf(stored.hash) : 0);
  if (inUse > (before.noted?.cost ?? 0)) await bestEffort(noteCost(runtime.table, inUse));
  if (!matches || !account || !mayLogIn(account, places, now())) {
    const locks = await places.fail();
    if (locks || (places.lockedOut && isToBeLocked(account, now())))
      await bestEffort(lockForATime(runtime, username, clearedAt));
    throw new Failure('invalid_credentials', { about });
  }

  await Promise.all([
    places.succeed(),
    withinGrace(recordUse(runtime, account)),
    stored && bestEffort(renew(runtime, account, password, stored)),
  ]);
  return account;
}

/** Whether the account still has to be locked after a lockout of its username: the attempt that began it did not. */
const isToBeLocked = (account: Account | undefined, now: number) =>
  account?.isactive === true && account.lockoutenabled && !isLocked(account, now);

/** A temporary lockout does not apply to known addresses. */
function mayLogIn(account: Account, { lockedOut, known }: Places, now: number): boolean {
  if (!mayAuthenticate(account)) return false;
  return known || !account.lockoutenabled || !(lockedOut || isLocked(account, now));
}

/** Reads the attempt lists, the account and its password in one round trip. */
async function read({ table }: Runtime, username: string, address: string) {
  const keys = [
    attemptsOfPairKey(username, address),
    attemptsFromAddressKey(address),
    attemptsOnNameKey(username),
    passwordCostKey,
  ] as const;
  const [pair, from, name, noted, ...found] = isUsername(username)
    ? await getAll(table, [...keys, ...keysOf(username)])
    : await getAll(table, keys);
  const lists = (clearedAt: number): AttemptLists => ({
    ofPair: { key: keys[0], limit: PER_PAIR, item: pair, clearedAt },
    // Unlocking an account clears its own failures only.
    fromAddress: { key: keys[1], limit: PER_ADDRESS, item: from, clearedAt: 0 },
    onName: { key: keys[2], limit: PER_NAME, item: name, clearedAt },
  });
  return { lists, noted, ...accountIn(found) };
}

async function readAccountOf({ table }: Runtime, username: string) {
  if (!isUsername(username)) return accountIn([]);
  return accountIn(await getAll(table, keysOf(username)));
}

const keysOf = (username: string) =>
  [accountKey(username), passwordKey(username), formerPasswordKey(username)] as const;

/** The current hash, and whether earlier versions have left one in its former place. */
interface Stored extends Password {
  readonly former: boolean;
}

function accountIn([account, own, former]: readonly [Account?, Password?, Password?] | readonly []) {
  const { hash } = own ?? former ?? {};
  const stored: Stored | undefined = hash === undefined ? undefined : { hash, former: former !== undefined };
  return { account, stored };
}

/** Recreates the hash if its cost is outdated, and moves it from its former place, unless the password has changed. */
async function renew({ table, settings }: Runtime, { username }: Account, password: string, before: Stored) {
  const isDue = costOf(before.hash) !== settings.BcryptCost;
  const hash = isDue ? await hashPassword(newPassword(password, username), settings.BcryptCost) : before.hash;
  if (before.former) await movePassword(table, username, hash);
  else if (isDue) await put(table, passwordKey(username), { hash }, expecting({ hash: before.hash }));
}
