import { isUsername } from '../account/identifiers.ts';
import { refusalOfCode } from '../account/open-code.ts';
import { bestEffort } from '../async/best-effort.ts';
import { recordUse, withinGrace } from '../auth/activity.ts';
import type { Cause } from '../failure/cause.ts';
import { concerning, Failure } from '../failure/failure.ts';
import { type Account, barOf, isLocked, isMachine, type Password } from '../item/account.ts';
import type { OneTimeCode } from '../item/one-time-code.ts';
import { sourceNetwork } from '../network/addresses.ts';
import { highestCost, noteCosts } from '../password/cost.ts';
import { verifyPassword } from '../password/hash.ts';
import { costIn } from '../password/imported.ts';
import { renewHash } from '../password/renew.ts';
import type { Runtime } from '../runtime.ts';
import * as keys from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import { listKeys, listsOf } from './attempt-lists.ts';
import { isLockedOut } from './attempts.ts';
import { lockForATime } from './lockout.ts';
import { reservePlaces } from './places.ts';
import type { AttemptList } from './reservation.ts';

/** The proof of a username in an attempt: a password or a one-time code. */
export type Proof = { readonly password: string } | { readonly code: string };

export type Verified = Awaited<ReturnType<typeof verifyProofOf>>;

/**
 * Verifies a password and settles its attempt, as {@link verifyProofOf} does.
 *
 * @param open opens the session of the verified account, in parallel with the last writes
 * @returns the result of `open`
 * @throws Failure as {@link verifyProofOf}
 */
export async function verifyPasswordOf<T>(
  runtime: Runtime,
  username: string,
  password: string,
  address: string,
  open: (account: Account) => Promise<T>,
): Promise<T> {
  const { account, stored, places } = await verifyProofOf(runtime, username, { password }, address);
  const [opened] = await Promise.all([
    open(account),
    places.succeed(),
    withinGrace(recordUse(runtime, account)),
    stored && bestEffort(renewHash(runtime, account, password, stored)),
  ]);
  return opened;
}

/**
 * Verifies a password or a one-time code: one read (of a right code another one, beside the comparison), up to three parallel writes that reserve the attempt (two for a code),
 * the comparison, and as many writes of a failure. Unknown, locked and cancelled accounts take the same time and get the
 * same answer.
 *
 * @param address source address of the request
 * @returns the account, its password hash and its code, as read
 *   - `isPassword`, which compares another text with that hash, and takes as long as a verification
 *   - `places` of the attempt, which the caller settles
 * @throws Failure `invalid_credentials`; `too_many_requests` for an attempt that is not verified and does not count
 */
export async function verifyProofOf(runtime: Runtime, username: string, proof: Proof, address: string) {
  const { now, settings } = runtime;
  const source = sourceNetwork(address);
  const withCode = 'code' in proof;
  const { lists, clearedAt, ...before } = await read(runtime, username, withCode, source);
  const about = before.account?.username;
  const places = await reservePlaces(runtime, lists, source).catch(concerning(about));
  // The account may have been locked while this attempt waited.
  const { account, stored, code } = places.waited ? await readAccountOf(runtime, username, withCode) : before;

  const { noted } = before;
  const compare = (text: string, hash?: string) =>
    verifyPassword(text, hash, highestCost(noted, settings), noted);
  const isPassword = (text: string) => compare(text, stored?.hash);
  const mismatch =
    'password' in proof
      ? (await isPassword(proof.password))
        ? undefined
        : stored
          ? 'wrong_password'
          : 'no_password'
      : // A code costs a comparison with a password as well: the time reveals nothing.
        (await Promise.all([refusalOfCode(runtime, account, code, proof.code), compare(proof.code)]))[0];
  // The current cost is noted as well, because its hashes remain when the setting changes.
  const inUse = [
    { kind: 'cost', cost: settings.BcryptCost } as const,
    ...(stored ? [costIn(stored.hash)] : []),
  ];
  await bestEffort(noteCosts(runtime.table, inUse, noted));
  // The stamp may have changed during the wait, which makes the address unknown.
  const isExempt = withCode || (places.known && account?.stamp === before.account?.stamp);
  const admitted = admits(account, isExempt, places.lockedOut, now());
  const verdict = typeof admitted === 'string' ? admitted : (mismatch ?? admitted);
  if (typeof verdict === 'string') {
    const begins = await places.fail();
    const begun = begins ? now() : places.lockedOut && lists.onName && lockoutOf(lists.onName, now());
    if (begun && (begins || isToBeLocked(account, now())))
      await bestEffort(lockForATime(runtime, username, account, clearedAt, begun));
    throw new Failure('invalid_credentials', { about, cause: verdict });
  }
  return { account: verdict, stored, code, isPassword, places };
}

/** Whether a lockout of the username still has to lock the account, because the attempt that began it failed to. */
const isToBeLocked = (account: Account | undefined, now: number) =>
  account?.isactive === true && account.lockoutenabled && !isLocked(account, now);

/** Start of the lockout of a username, as read; undefined if it has ended or begun since. */
const lockoutOf = ({ item, limit, clearedAt }: AttemptList, now: number) =>
  isLockedOut(item, limit, now, clearedAt) ? item?.locked_at : undefined;

/** The account if it may log in; otherwise the cause. A temporary lockout does not apply to known addresses and codes. */
function admits(
  account: Account | undefined,
  isExempt: boolean,
  lockedOut: boolean,
  now: number,
): Account | Cause {
  if (!account) return 'account_unknown';
  const isOut = !isExempt && account.lockoutenabled && (lockedOut || isLocked(account, now));
  return barOf(account, now) ?? (isOut ? 'locked_out' : account);
}

/** Reads the attempt lists, the account and its password in one round trip. */
async function read({ table }: Runtime, username: string, withCode: boolean, source: string) {
  const ofLists = listKeys(username, source, withCode);
  const all = [...ofLists, keys.passwordCostKey, ...keysOf(username, withCode)] as const;
  const [pair, address, third, noted, ...found] = await getAll(table, all);
  const { account, stored, code } = accountIn(found);
  const lists = listsOf(ofLists, [pair, address, third], account, withCode);
  return { lists, clearedAt: lists.ofPair.clearedAt, noted, account, stored, code };
}

const readAccountOf = async ({ table }: Runtime, username: string, withCode: boolean) =>
  accountIn(await getAll(table, keysOf(username, withCode)));

/** The keys of an account, its password and its code; none for a name that no account can have. */
const keysOf = (username: string, withCode: boolean) => {
  if (!isUsername(username)) return [] as const;
  const own = [keys.accountKey(username), keys.passwordKey(username)] as const;
  return withCode ? ([...own, keys.codeKey(username)] as const) : own;
};

/** A machine has neither password nor code, whatever it had as a person. */
const accountIn = ([account, stored, code]: readonly [Account?, Password?, OneTimeCode?]) =>
  account && isMachine(account) ? { account, stored: undefined, code: undefined } : { account, stored, code };
