import { Failure, forbidden } from '../failure/failure.ts';
import { type Account, isLockedByAdministrator } from '../item/account.ts';
import type { OneTimeCode } from '../item/one-time-code.ts';
import type { CredentialLimits } from '../item/token.ts';
import { generateCode, hashOfCode } from '../password/code.ts';
import type { Runtime } from '../runtime.ts';
import { expecting } from '../table/expressions.ts';
import { accountKey, codeKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { transact } from '../table/write.ts';
import { HOUR_MS, isoOf } from '../time.ts';
import { asRead } from './account.ts';
import { CODE_HOURS } from './maxima.ts';

/**
 * A new one-time code, with the write that stores it.
 *
 * @param limits of the caller's credential: a code permits everything, so only the end may be limited, and the code has
 *   that end at the latest
 * @throws Failure `forbidden`
 */
export function newCode(
  { now, random }: Runtime,
  username: string,
  hours: number,
  { expires_at: end = Number.POSITIVE_INFINITY, ...others }: CredentialLimits,
) {
  const [limit] = Object.keys(others);
  if (limit) throw forbidden(limit, 'Requires a credential without limits');
  const code = generateCode(random);
  const expires_at = Math.min(now() + hours * HOUR_MS, end);
  const sha256 = hashOfCode(code) as string;
  const item: OneTimeCode = { sha256, expires_at, ttl: Math.ceil(expires_at / 1000) };
  const write = { Put: { Item: { ...codeKey(username), ...item } } };
  return { code, expires_at: isoOf(expires_at), write };
}

/**
 * Creates the one-time code with which an account sets its password; it replaces an earlier one.
 *
 * @param limits of the caller's credential, as in {@link newCode}
 * @returns the code, which cannot be read again
 * @throws Failure `account_not_found`, `account_cancelled`, `account_locked`, `forbidden`
 */
export async function createCode(
  runtime: Runtime,
  target: Account,
  limits: CredentialLimits,
  { hours = CODE_HOURS }: { readonly hours?: number | undefined } = {},
) {
  return optimistically(target, async (account: Account | undefined) => {
    if (!account) throw new Failure('account_not_found');
    const { username } = account;
    const { code, expires_at, write } = newCode(runtime, username, hours, limits);
    if (!account.isactive) throw new Failure('account_cancelled');
    if (isLockedByAdministrator(account, runtime.now())) throw new Failure('account_locked');
    const check = { ConditionCheck: { Key: { ...accountKey(username) }, ...expecting(asRead(account)) } };
    const failed = await transact<Account>(runtime.table, [check, write]);
    return failed ?? { username, code, expires_at };
  });
}
