import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { isActivityDue, noteDay, noteSession } from '../auth/activity.ts';
import {
  type AttemptsItem,
  counted,
  FROM_ADDRESS,
  FROM_ANYWHERE,
  isFull,
  recordFailure,
  retryAfter,
} from '../auth/attempts.ts';
import { quietly } from '../auth/authenticate.ts';
import { hashPassword, needsRehash, type PasswordItem, verifyPassword } from '../auth/password.ts';
import { Failure } from '../failure.ts';
import type { Runtime } from '../runtime.ts';
import { expecting } from '../table/expressions.ts';
import {
  accountKey,
  attemptsFromAddressKey,
  attemptsFromAnywhereKey,
  type Key,
  passwordKey,
} from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import { put } from '../table/write.ts';
import { type Account, isLocked } from './account.ts';
import { lockForATime } from './lockout.ts';
import { isUsername } from './names.ts';

/**
 * Verifies a password with one read, the work of one bcrypt, and a second look at the failures counted
 * meanwhile. Unknown, locked and cancelled accounts do the same work and get the same answer.
 *
 * @param address source address of the request
 * @throws Failure `invalid_credentials`; `too_many_requests` for what is refused unread and does not count
 */
export async function verifyPasswordOf(
  runtime: Runtime,
  username: string,
  password: string,
  address: string,
): Promise<Account> {
  const { table, now, settings } = runtime;
  const attempts = attemptsOf(username, address);
  const known = isUsername(username) ? [accountKey(username), passwordKey(username)] : [];
  const [fromAddress, fromAnywhere, account, stored] = (await getAll(table, [
    attempts.fromAddress,
    attempts.fromAnywhere,
    ...known,
  ])) as [AttemptsItem?, AttemptsItem?, Account?, PasswordItem?];
  const clearedAt = account?.failures_cleared_at ?? 0;

  refuseTooMany(fromAddress, now(), clearedAt);
  const matches = await verifyPassword(password, stored?.hash, settings.BcryptCost);
  const usable =
    account?.isactive && !isLocked(account, now()) && !hasTooManyFailures(account, fromAnywhere, now());

  if (!account || !usable || !matches) {
    await countFailure(runtime, username, attempts, { fromAddress, fromAnywhere }, account, clearedAt);
    throw new Failure('invalid_credentials');
  }

  // Parallel guesses may have used up the tries while this one was at work.
  const [[fromAddressNow, fromAnywhereNow]] = await Promise.all([
    getAll(table, [attempts.fromAddress, attempts.fromAnywhere]) as Promise<[AttemptsItem?, AttemptsItem?]>,
    isActivityDue(account, now()) &&
      quietly(noteSession(runtime, account.username, account.id, account.stamp)),
    quietly(noteDay(runtime, account)),
  ]);
  refuseTooMany(fromAddressNow, now(), clearedAt);
  if (hasTooManyFailures(account, fromAnywhereNow, now())) throw new Failure('invalid_credentials');

  await Promise.all([
    fromAddressNow && quietly(clear(runtime, attempts.fromAddress)),
    stored &&
      needsRehash(stored.hash, settings.BcryptCost) &&
      quietly(rehash(runtime, account, password, stored)),
  ]);
  return account;
}

interface Attempts<T> {
  readonly fromAddress: T;
  readonly fromAnywhere: T;
}

const attemptsOf = (username: string, address: string): Attempts<Key> => ({
  fromAddress: attemptsFromAddressKey(username, address),
  fromAnywhere: attemptsFromAnywhereKey(username),
});

function refuseTooMany(item: AttemptsItem | undefined, now: number, clearedAt: number): void {
  const failures = counted(item, FROM_ADDRESS, now, clearedAt);
  if (isFull(failures, FROM_ADDRESS))
    throw new Failure('too_many_requests', { retryAfter: retryAfter(failures, FROM_ADDRESS, now) });
}

/** Whether failures from anywhere lock the account, even where the lockout is yet to be written. */
const hasTooManyFailures = (account: Account, item: AttemptsItem | undefined, now: number) =>
  account.lockoutenabled &&
  isFull(counted(item, FROM_ANYWHERE, now, account.failures_cleared_at ?? 0), FROM_ANYWHERE);

async function countFailure(
  runtime: Runtime,
  username: string,
  keys: Attempts<Key>,
  items: Attempts<AttemptsItem | undefined>,
  account: Account | undefined,
  clearedAt: number,
): Promise<void> {
  const { table, now } = runtime;
  const time = now();
  const here = await recordFailure(table, keys.fromAddress, FROM_ADDRESS, time, clearedAt, items.fromAddress);
  if (!here.recorded)
    throw new Failure('too_many_requests', { retryAfter: retryAfter(here.failures, FROM_ADDRESS, time) });
  // A lockout is not made longer by what is tried during it.
  if (account && isLocked(account, time)) return;
  const all = await recordFailure(
    table,
    keys.fromAnywhere,
    FROM_ANYWHERE,
    time,
    clearedAt,
    items.fromAnywhere,
  );
  if (account && isFull(all.failures, FROM_ANYWHERE)) await lockForATime(runtime, username);
}

const clear = ({ table }: Runtime, key: Key) =>
  table.client.send(new DeleteCommand({ TableName: table.name, Key: key }));

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
