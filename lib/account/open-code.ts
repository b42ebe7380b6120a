import type { Cause } from '../failure/cause.ts';
import { type Account, codeGeneration } from '../item/account.ts';
import type { OneTimeCode } from '../item/one-time-code.ts';
import { hashOfCode } from '../password/code.ts';
import type { Runtime } from '../runtime.ts';
import { codeKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import { isoOf } from '../time.ts';
import { readAccount, sameUsername } from './account.ts';

type Reading = Pick<Runtime, 'table' | 'now'>;

/**
 * Why a text is not the code of an account that works; undefined if it is. Reads the account that made the code if the
 * text is right.
 *
 * @param code as stored
 */
export async function refusalOfCode(
  runtime: Reading,
  account: Account | undefined,
  code: OneTimeCode | undefined,
  text: string,
): Promise<Cause | undefined> {
  // Codes of earlier versions have another attribute.
  if (!account || code?.code_sha256 === undefined) return 'no_code';
  return hashOfCode(text) === code.code_sha256 ? endOf(runtime, account, code) : 'wrong_code';
}

/** Why a code no longer works; undefined if it does. */
async function endOf(
  { table, now }: Reading,
  account: Account,
  { expires_at, code_stamp, code_created_by: by, code_maker_generation: generation }: OneTimeCode,
): Promise<Cause | undefined> {
  if (now() >= expires_at) return 'code_expired';
  if (code_stamp !== account.stamp) return 'code_ended';
  if (generation === undefined) return undefined;
  const maker = sameUsername(by, account.username) ? account : await readAccount(table, by);
  return maker && codeGeneration(maker) === generation ? undefined : 'code_ended';
}

const NONE = { code_expires_at: null, code_created_at: null, code_created_by: null };

/** Since when, until when and by whom an account has a one-time code that works; nulls without one. */
export async function openCodeOf(runtime: Reading, account: Account) {
  const code = await get(runtime.table, codeKey(account.username));
  if (code?.code_sha256 === undefined || (await endOf(runtime, account, code))) return NONE;
  const { expires_at, code_created_at, code_created_by } = code;
  return { code_expires_at: isoOf(expires_at), code_created_at, code_created_by };
}
