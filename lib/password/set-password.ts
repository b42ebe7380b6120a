import { PATIENT } from '../async/retry.ts';
import type { Actor } from '../event/event.ts';
import { type PasswordProof, password_change } from '../event/user-events.ts';
import type { Cause } from '../failure/cause.ts';
import { Failure } from '../failure/failure.ts';
import { checkPerson } from '../failure/machine.ts';
import { type Account, barOf } from '../item/account.ts';
import type { OneTimeCode } from '../item/one-time-code.ts';
import { type AccountChange, type Announcing, announce, occurrenceBy } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import { endingCodes } from '../table/ending-codes.ts';
import { assign, expecting } from '../table/expressions.ts';
import { accountKey, codeKey, passwordKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { type ConditionFailed, storing, type TransactWrite } from '../table/write.ts';
import { noteCost } from './cost.ts';
import { hashPassword, isOutdated, newPassword } from './hash.ts';

/**
 * Sets the password of an account; its sessions and its one-time code end at once.
 *
 * @param actor the operator; without an actor, no event is published
 * @returns the account afterwards
 * @throws Failure `invalid_request` for an invalid password, `account_not_found`, `machine_account`
 */
export async function setPassword(runtime: Announcing, before: Account, password: string, actor?: Actor) {
  const { table, settings } = runtime;
  const { id, username } = before;
  const hash = await hashPassword(newPassword(password, username), settings.BcryptCost);
  await noteCost(table, settings.BcryptCost);
  return optimistically<Account | undefined, Account>(before, async (account) => {
    if (account?.id !== id) throw new Failure('account_not_found');
    checkPerson(account, 'username', 'password');
    return storePassword(runtime, account, { hash }, 'command', actor);
  });
}

/** The state that a verification has read; a new password expects that none of it has changed. */
export interface Basis {
  readonly hash: string | undefined;
  /** The one-time code, if one was verified. */
  readonly code: OneTimeCode | undefined;
}

/** A new hash, and what its transaction writes in addition. */
interface Replacement {
  readonly hash: string;
  /** The new security stamp. */
  readonly stamp?: string;
  /** Whether the one-time codes that the account has made end as well. */
  readonly endsCodes?: boolean | undefined;
  readonly others?: readonly TransactWrite[];
  /** More that the transaction changes in the account. If the account is not as expected, the caller decides. */
  readonly also?: AccountChange;
}

/**
 * Writes a new hash and a new stamp, which ends the one-time code, with their event, in one transaction.
 *
 * @param actor without an actor, no event is published
 * @param basis the state that must be unchanged; without a basis, the account only needs the same `id` and `transitions`
 * @returns the account afterwards, or the failed condition of the account: without a basis, or with `also` and the same stamp
 * @throws Failure with a basis: `invalid_credentials` if the hash or the code has changed, or the account was locked or
 *   cancelled; `unavailable` after other changes
 */
export async function storePassword(
  runtime: Announcing,
  before: Account,
  { hash, stamp: next = runtime.uuid(), endsCodes, others = [], also }: Replacement,
  proof: PasswordProof,
  actor: Actor | undefined,
  basis?: Basis,
): Promise<Account | ConditionFailed> {
  const { id, username, stamp } = before;
  const { open_code: _, ...kept } = before;
  const after: Account = { ...kept, stamp: next, password_set: true };
  const announcement = actor && announce(runtime, password_change, occurrenceBy(runtime, actor), proof);
  const refused = (cause: Cause) => new Failure('invalid_credentials', { cause });
  // An account that becomes a machine has a new stamp and another number of transitions.
  const expected = {
    ...(basis ? { stamp } : { id, transitions: before.transitions }),
    ...announcement?.expected(before),
    ...also?.expected,
  };
  const code = basis?.code && codeChecks(basis.code, before);
  // A login may renew an outdated hash meanwhile; every new password has a new stamp.
  const isFinal = basis && !(basis.hash && isOutdated(basis.hash, runtime.settings.BcryptCost));
  const own = storing(passwordKey(username), { hash }, isFinal ? { hash: basis.hash } : {});
  const to = {
    stamp: after.stamp,
    password_set: true,
    open_code: undefined,
    ...announcement?.counted(before),
    ...also?.to,
    ...also?.counted,
  };
  const change = assign(to, { ...expected, ...code?.expected });
  const writes: TransactWrite[] = [
    // The first of several failed conditions decides.
    ...(code?.checks ?? []).map((check) => ({ ...check, otherwise: () => refused('code_changed') })),
    { ...own, otherwise: () => refused('password_changed') },
    ...others,
    {
      Update: { Key: accountKey(username), ...(endsCodes ? endingCodes(change, runtime) : change) },
      otherwise: (item) => {
        const account = item as Account | undefined;
        const cause = barOf(account, runtime.now());
        const mayDecide = !basis || (also && account?.stamp === stamp);
        return cause && basis
          ? refused(cause)
          : mayDecide
            ? undefined
            : new Failure('unavailable', { retryAfter: 1 });
      },
    },
  ];
  const events = [...(announcement?.events(after) ?? []), ...(also?.events(after) ?? [])];
  return (await commitWithEvents(runtime, writes, events, PATIENT)) ?? after;
}

/** The conditions that a verified code still works: on its item, and on the account of its maker. */
function codeChecks(
  { code_sha256, code_created_by: by, code_maker_generation: generation }: OneTimeCode,
  { username }: Account,
) {
  const own = { ConditionCheck: { Key: { ...codeKey(username) }, ...expecting({ code_sha256 }) } };
  // The attribute is absent before the first change.
  const expected = generation === undefined ? {} : { code_generation: generation || undefined };
  const Key = accountKey(by);
  // A transaction has each item once.
  if (generation === undefined || Key.PK === accountKey(username).PK) return { checks: [own], expected };
  return { checks: [own, { ConditionCheck: { Key: { ...Key }, ...expecting(expected) } }], expected: {} };
}
