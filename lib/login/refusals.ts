import { type Account, FOREVER, isLocked, isLockedByAdministrator } from '../item/account.ts';
import type { LoginAttempts } from '../item/login-attempts.ts';
import type { Runtime } from '../runtime.ts';
import { attemptsByAddress, codeAttemptsByAddress } from '../table/keys.ts';
import { query } from '../table/read.ts';
import { type AttemptLimit, admit, CODES_PER_PAIR, countable, isRefused, PER_PAIR } from './attempts.ts';

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
