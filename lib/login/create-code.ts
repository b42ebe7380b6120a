import { asRead } from '../account/account.ts';
import type { Actor } from '../event/account-event.ts';
import { Failure, forbidden } from '../failure.ts';
import { type Account, isLockedByAdministrator } from '../item/account.ts';
import type { Limits } from '../item/token.ts';
import { CODE_HOURS, generateCode, hashOfCode } from '../password/code.ts';
import type { Runtime } from '../runtime.ts';
import { expecting } from '../table/expressions.ts';
import { accountKey, codeKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { transact } from '../table/write.ts';

const HOUR_MS = 3_600_000;

/**
 * Creates the one-time code with which an account sets its password; it replaces an earlier one.
 *
 * @param limits of the caller's credential: a code permits everything, so only the end may be limited, and the code has
 *   that end at the latest
 * @returns the code, which cannot be read again
 * @throws Failure `account_cancelled`, `account_locked`, `forbidden`
 */
export async function createCode(
  runtime: Runtime,
  target: Account,
  { by }: Actor,
  { hours = CODE_HOURS }: { readonly hours?: number | undefined } = {},
  { access, roles, addresses, expires_at: end = Number.POSITIVE_INFINITY }: Limits = {},
) {
  if (access || roles || addresses) throw forbidden('access', 'Requires a credential without limits');
  const { table, now, random } = runtime;
  const code = generateCode(random);
  return optimistically(target, async (account: Account | undefined) => {
    if (!account) throw new Failure('account_not_found');
    if (!account.isactive) throw new Failure('account_cancelled');
    const created_at = now();
    if (isLockedByAdministrator(account, created_at)) throw new Failure('account_locked');
    const expires_at = Math.min(created_at + hours * HOUR_MS, end);
    const { username } = account;
    const item = {
      sha256: hashOfCode(code),
      created_at,
      created_by: by,
      expires_at,
      ttl: Math.ceil(expires_at / 1000),
    };
    const check = { ConditionCheck: { Key: { ...accountKey(username) }, ...expecting(asRead(account)) } };
    const failed = await transact<Account>(table, [
      check,
      { Put: { Item: { ...codeKey(username), ...item } } },
    ]);
    return failed ?? { username, code, expires_at: new Date(expires_at).toISOString() };
  });
}
