import {
  type Account,
  barOf,
  FOREVER,
  isLocked,
  isLockedByAdministrator,
  isMachine,
} from '../item/account.ts';
import type { LoginAttempts, LoginBlock } from '../item/login-attempts.ts';
import type { Runtime } from '../runtime.ts';
import {
  attemptsByAddress,
  attemptsOnNameKey,
  attemptsWithPassword,
  codeAttemptsByAddress,
} from '../table/keys.ts';
import { query, readPage } from '../table/read.ts';
import { isoOf } from '../time.ts';
import {
  type AttemptLimit,
  admit,
  CODES_PER_PAIR,
  countable,
  hasFailed,
  isLockedOut,
  isRefused,
  PER_NAME,
  PER_PAIR,
} from './attempts.ts';

/**
 * The reasons why logins and one-time codes of an account are refused at the moment, with the time of their end (ISO 8601)
 * if they have one. Limits of a source address across all usernames are not among them.
 */
export async function loginRefusals({ table, now }: Runtime, account: Account): Promise<string[]> {
  const { username, failures_cleared_at: clearedAt = 0, lockoutend = FOREVER, lockoutenabled } = account;
  const [logins, codes] = await Promise.all(
    [attemptsByAddress, codeAttemptsByAddress].map((rangeOf) => query(table, rangeOf(username))),
  );
  const time = now();
  const until = (end: number) => `until ${new Date(end).toISOString()}`;
  const exhausted = (what: string, limit: AttemptLimit, lists: readonly LoginAttempts[] = []) =>
    lists.flatMap(({ attempts = [] }) => {
      const admission = admit(countable(attempts, limit, time, clearedAt), limit, time);
      if (!isRefused(admission)) return [];
      return `${what} from ${attempts[0]?.from} ${until(time + admission.retryAfter * 1000)}`;
    });
  const isByAdministrator = isLockedByAdministrator(account, time);
  const isForATime = !isByAdministrator && lockoutenabled && isLocked(account, time);
  const untilThen = lockoutend === FOREVER ? '' : ` ${until(Date.parse(lockoutend))}`;
  return [
    ...(account.isactive ? [] : ['cancelled']),
    ...(isByAdministrator ? [`locked by an administrator${untilThen}`] : []),
    ...(isForATime ? [`failed logins${untilThen}`] : []),
    ...exhausted('failed logins', PER_PAIR, logins),
    ...exhausted('wrong codes', CODES_PER_PAIR, codes),
  ];
}

/**
 * The temporary lockout by failed logins that refuses a right password of an account now; null without one, and if nothing
 * authenticates the account anyway. A lockout for all addresses comes before that of one address; of several addresses, the
 * one that is refused longest decides. One read of at most 1 MB: an attack from thousands of addresses may hide an address.
 */
export async function loginBlockOf({ table, now }: Runtime, account: Account): Promise<LoginBlock | null> {
  if (barOf(account, now()) || isMachine(account)) return null;
  const { username, failures_cleared_at: clearedAt = 0, lockoutend, lockoutenabled } = account;
  const { items } = await readPage(table, attemptsWithPassword(username));
  const time = now();
  const block = (cause: LoginBlock['cause'], since: number, until: number) => ({
    cause,
    since: isoOf(since),
    until: isoOf(until),
  });
  const ofAll = items.find(({ SK }) => SK === attemptsOnNameKey(username).SK);
  const { lockoutMs = 0 } = PER_NAME;
  const begun = Math.max(
    isLocked(account, time) ? Date.parse(lockoutend as string) - lockoutMs : 0,
    (isLockedOut(ofAll, PER_NAME, time, clearedAt) && ofAll?.locked_at) || 0,
  );
  if (lockoutenabled && begun > 0) return block('attempts', begun, begun + lockoutMs);
  const [longest] = items
    .filter((list) => list !== ofAll)
    .flatMap(({ attempts = [] }) => {
      const failed = countable(attempts, PER_PAIR, time, clearedAt).filter(hasFailed(time));
      const [oldest, last] = [failed.at(-PER_PAIR.max), failed.at(-1)];
      return oldest && last ? { since: last.at, until: oldest.at + PER_PAIR.windowMs } : [];
    })
    .sort((one, other) => other.until - one.until);
  return longest ? block('attempts_from_address', longest.since, longest.until) : null;
}
