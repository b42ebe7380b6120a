import { asRead, isUnused, lastActive, sameUsername } from '../account/account.ts';
import { erasableFrom } from '../account/lifecycle/erasable.ts';
import { bestEffort } from '../async/best-effort.ts';
import { PATIENT } from '../async/retry.ts';
import type { Actor } from '../event/event.ts';
import { user_erase } from '../event/user-events.ts';
import { Failure } from '../failure/failure.ts';
import { type Account, FOREVER, generationOf } from '../item/account.ts';
import type { Erased, Erasure } from '../item/erasure.ts';
import { type Announcing, announce, occurrenceBy } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import { findErased, isErasedId } from '../pseudonym/erased.ts';
import type { HashName } from '../pseudonym/name-hash.ts';
import { countIn } from '../stats/counters.ts';
import { uncountErased } from '../stats/slices.ts';
import { expecting } from '../table/expressions.ts';
import * as keys from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { get } from '../table/read.ts';
import { storing, type TransactWrite } from '../table/write.ts';
import { isoOf } from '../time.ts';
import { publishNaming } from './pending.ts';
import { rowsOf } from './record.ts';
import { removeOwn } from './remove-own.ts';

/** Runtime of an erasure. */
export type Erasing = Announcing & { readonly hashName: HashName };

/** Conditions of an erasure that an operator has set aside. */
export interface SetAside {
  /** That the account is cancelled, and the days since. */
  readonly state?: boolean | undefined;
  /** Only the days since its cancellation. */
  readonly days?: boolean | undefined;
}

/** @throws Failure `account_active`, `account_cancelled_recently` */
export function checkErasable(
  account: Account,
  { now, settings }: Pick<Erasing, 'now' | 'settings'>,
  { state, days }: SetAside,
): void {
  if (state) return;
  const erasable_from = erasableFrom(account, settings);
  if (erasable_from === null) throw new Failure('account_active');
  if (!days && now() < Date.parse(erasable_from))
    throw new Failure('account_cancelled_recently', {
      data: { erasable_from },
      advice: `It can be erased from ${erasable_from} on.`,
    });
}

/**
 * Erases a cancelled account. One transaction ends it and stores its event, the rows that remain, and the work that is left;
 * what has a known key is removed at once. Events of the account that wait are published before.
 *
 * @param named the username, or the ID of an account that is erased, which comes before a username of this form
 * @param target the account with this username, if there is one
 * @throws Failure `account_not_found`, `self_target`, `account_active`, `account_cancelled_recently`; `unavailable` while
 *   events cannot be published
 */
export async function eraseAccount(
  runtime: Erasing,
  named: string,
  target: Account | undefined,
  actor: Actor,
  aside: SetAside = {},
) {
  if (!target || (await isErasedId(runtime.table, named))) return repeated(runtime, named);
  const { username, id } = target;
  if (sameUsername(actor.by, username)) throw new Failure('self_target');
  checkErasable(target, runtime, aside);
  const hash = await runtime.hashName(username, true);
  const occurrence = occurrenceBy(runtime, actor);
  const announcement = announce(runtime, user_erase, occurrence, undefined);
  const erased: Erased = { erased_id: id, erased_at: isoOf(occurrence.at), erased_by: actor.by };
  if (!(await publishNaming(runtime, { erased_id: id, erasing_username: username })))
    throw new Failure('unavailable', { retryAfter: 60 });

  const erasure = await optimistically<Account | undefined, Erasure | 'gone'>(
    target,
    async (before) => {
      // Another request was faster.
      if (before?.id !== id) return 'gone';
      checkErasable(before, runtime, aside);
      const work = erasureOf(before, erased);
      const writes: TransactWrite[] = [
        {
          Delete: {
            Key: { ...keys.accountKey(username) },
            ...unchanged(before, announcement.expected(before)),
          },
        },
        ...rowsOf(hash, erased),
        storing(keys.erasureKey(id), work),
        ...uncounting(before, occurrence.at),
      ];
      const after = { ...before, transitions: (before.transitions ?? 0) + 1 };
      const failed = await commitWithEvents(runtime, writes, announcement.events(after), PATIENT);
      return failed ?? work;
    },
    PATIENT.attempts,
  );
  if (erasure === 'gone') return repeated(runtime, named);
  // The account has ended: what the caller may do decides nothing any more.
  await bestEffort(removeOwn(runtime.table, erasure));
  return {
    userid: id,
    erased_at: erased.erased_at,
    erased_by: erased.erased_by,
    complete: false,
    changed: true,
  };
}

/** The answer to a repeat, which changes nothing. @throws Failure `account_not_found` */
async function repeated({ table, hashName }: Erasing, named: string) {
  const erased = await findErased(table, hashName, named);
  if (!erased) throw new Failure('account_not_found');
  const { erased_id: userid, erased_at, erased_by } = erased;
  const left = await get(table, keys.erasureKey(userid));
  return { userid, erased_at, erased_by, complete: left === undefined, changed: false };
}

/** The condition that an account is as it was read, with what its event and the counters report. */
const unchanged = (account: Account, expected: object) => {
  const { lastActivity, never_used, token_generation } = account;
  return expecting({ ...asRead(account), lastActivity, never_used, token_generation, ...expected });
};

const erasureOf = (account: Account, { erased_at }: Erased): Erasure => ({
  erasing_username: account.username,
  erased_at,
  erasing_generation: generationOf(account),
  erasing_passkeys: Object.values(account.passkeys ?? {}),
  erasing_trusts: account.trusts && Object.keys(account.trusts),
  erasing_cancellation: account.cancelled_at,
});

/** The writes after which no counter has the account. */
function uncounting(account: Account, now: number): readonly TransactWrite[] {
  const { username, lockoutend = '' } = account;
  const usedAt = isUnused(account) ? Number.NaN : lastActive(account);
  const lockoutEnd = lockoutend === FOREVER ? Number.NaN : Date.parse(lockoutend);
  return [
    countIn('COUNT', username, -1),
    ...(lockoutend === FOREVER ? [countIn('LOCKED', username, -1)] : []),
    ...uncountErased(username, { lastActive: usedAt, lockoutEnd }, now),
  ];
}
