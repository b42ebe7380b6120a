import { bestEffort } from '../async/best-effort.ts';
import type { Body } from '../contract/contract.ts';
import { Failure, forbidden } from '../failure/failure.ts';
import { checkPerson } from '../failure/machine.ts';
import { type Account, codeGeneration, isLockedByAdministrator, type OpenCode } from '../item/account.ts';
import type { OneTimeCode } from '../item/one-time-code.ts';
import type { CredentialLimits } from '../item/token.ts';
import { generateCode, hashOfCode } from '../password/code.ts';
import type { Runtime } from '../runtime.ts';
import { assign, expecting } from '../table/expressions.ts';
import { accountKey, codeKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { transact, update } from '../table/write.ts';
import { HOUR_MS, isoOf } from '../time.ts';
import { asRead, sameUsername } from './account.ts';
import { changeAccount } from './change-account.ts';
import type { contract } from './code.contract.ts';
import { CODE_HOURS } from './maxima.ts';
import { withoutEnd } from './within.ts';

/** The author of a code: an operator, or an account with its `code_generation` as read for the request. */
export interface Maker {
  readonly by: string;
  readonly generation?: number;
}

export const makerOf = (caller: Account): Maker => ({
  by: caller.username,
  generation: codeGeneration(caller),
});

/**
 * Refuses a credential with limits other than its end: a code permits everything.
 *
 * @throws Failure `forbidden`
 */
export function checkMayMakeCodes(limits: CredentialLimits) {
  const [limit] = Object.keys(withoutEnd(limits));
  if (limit) throw forbidden(limit, 'Requires a credential without limits');
}

/**
 * A new one-time code, with the write that stores it, and what its account shows of it.
 *
 * @param account whose password it sets, as of now
 * @param limits of the caller's credential; the code has its end at the latest
 * @param endsPasskeys whether its use ends all passkeys of the account
 * @throws Failure `forbidden`
 */
export function newCode(
  { now, random }: Runtime,
  { username, stamp }: Pick<Account, 'username' | 'stamp'>,
  { by, generation }: Maker,
  hours: number,
  limits: CredentialLimits,
  endsPasskeys = false,
) {
  checkMayMakeCodes(limits);
  const code = generateCode(random);
  const created_at = now();
  const expires_at = Math.min(created_at + hours * HOUR_MS, limits.expires_at ?? Number.POSITIVE_INFINITY);
  const item = {
    code_sha256: hashOfCode(code) as string,
    code_created_at: isoOf(created_at),
    code_created_by: by,
    code_stamp: stamp,
    code_maker_generation: generation,
    code_ends_passkeys: endsPasskeys || undefined,
    expires_at,
    ttl: Math.ceil(expires_at / 1000),
  } satisfies { readonly [K in keyof Required<OneTimeCode>]: OneTimeCode[K] | undefined };
  // An update, since the transaction also names accounts, which no put may replace.
  const write = { Update: { Key: { ...codeKey(username) }, ...assign(item, {}) } };
  const isOwn = generation !== undefined && sameUsername(by, username);
  const open_code: OpenCode = {
    until: expires_at,
    made_at: created_at,
    stamp,
    ...(isOwn && { own_generation: generation }),
  };
  return { code, expires_at: isoOf(expires_at), write, open_code };
}

/**
 * Creates the one-time code with which an account sets its password; it replaces an earlier one.
 *
 * @param maker the caller, or an operator
 * @param limits of the caller's credential, as in {@link newCode}
 * @returns the code, which cannot be read again
 * @throws Failure `account_not_found`, `account_cancelled`, `account_locked`, `machine_account`, `forbidden`
 */
export async function createCode(
  runtime: Runtime,
  target: Account,
  maker: Maker,
  limits: CredentialLimits,
  { hours = CODE_HOURS, end_passkeys = false }: Body<typeof contract> = {},
) {
  return changeAccount(target, async (account) => {
    const { username } = account;
    checkPerson(account, 'username', 'one-time code');
    const made = newCode(runtime, account, maker, hours, limits, end_passkeys);
    if (!account.isactive) throw new Failure('account_cancelled');
    if (isLockedByAdministrator(account, runtime.now())) throw new Failure('account_locked');
    const { stamp } = account;
    const condition = expecting({ ...asRead(account), stamp });
    const check = { ConditionCheck: { Key: { ...accountKey(username) }, ...condition } };
    const failed = await transact<Account>(runtime.table, [check, made.write]);
    if (failed) return failed;
    await bestEffort(showCode(runtime.table, account, made.open_code));
    return { username, code: made.code, expires_at: made.expires_at, end_passkeys };
  });
}

/**
 * Notes a new code in its account, for the directory, unless that has a later one. In a write of its own: whoever may write
 * the account in a transaction that checks its stamp may write the stamp, too. The permission of the caller was checked with
 * the code, so its guard is left out.
 */
const showCode = ({ guard: _, ...table }: Table, { username }: Account, open_code: OpenCode) =>
  update(table, {
    Key: accountKey(username),
    UpdateExpression: 'SET open_code = :code',
    ConditionExpression:
      'attribute_exists(PK) AND (attribute_not_exists(open_code) OR open_code.made_at <= :made_at)',
    ExpressionAttributeValues: { ':code': open_code, ':made_at': open_code.made_at },
  });
