import type { Actor } from '../../event/event.ts';
import { user_lock, user_unlock } from '../../event/user-events.ts';
import { Failure, invalid } from '../../failure/failure.ts';
import { type Account, FOREVER, isLocked, isLockedByAdministrator } from '../../item/account.ts';
import { type Announcing, announce, occurrenceBy } from '../../outbox/announcement.ts';
import type { Runtime } from '../../runtime.ts';
import { countIn } from '../../stats/counters.ts';
import { countLockout, uncountLockout } from '../../stats/slices.ts';
import { assign } from '../../table/expressions.ts';
import { accountKey } from '../../table/keys.ts';
import { update } from '../../table/write.ts';
import { sameUsername } from '../account.ts';
import { changedItem } from '../directory/item.ts';
import { type LockTerms, lockedOn } from '../lock-terms.ts';
import { transition } from './transition.ts';

/** The end of a lock in milliseconds, as slices count it; NaN for a lock without an end. */
const endOf = (lockoutend = FOREVER) => (lockoutend === FOREVER ? Number.NaN : Date.parse(lockoutend));

/** Removes the current lock or lockout of an account from the counters, and adds its new lock, if there is one. */
async function recount({ table, now }: Runtime, before: Account, lockoutend?: string) {
  const { username } = before;
  const forGood = Number(lockoutend === FOREVER) - Number(before.lockoutend === FOREVER);
  const [time, end] = [now(), endOf(lockoutend)];
  const former = endOf(before.lockoutend);
  return [
    ...(forGood === 0 ? [] : [countIn('LOCKED', username, forGood)]),
    ...(Number.isNaN(end)
      ? uncountLockout(username, former, time)
      : [await countLockout(table, username, end, time, former)]),
  ];
}

/**
 * Locks an account, which refuses all its credentials, and ends its sessions, its one-time code and the codes that it has made. Other terms replace those of an
 * earlier lock. Nothing is written when a lock ends by itself.
 *
 * @throws Failure `self_target`; `invalid_request` for an end that is not in the future
 */
export async function lockAccount(runtime: Announcing, target: Account, actor: Actor, terms: LockTerms = {}) {
  const { now, uuid, settings } = runtime;
  const occurrence = occurrenceBy(runtime, actor);
  const { lockoutend, lock_reason } = lockedOn(terms);
  if (Date.parse(lockoutend) <= occurrence.at) throw invalid('until', 'Must be in the future');
  if (sameUsername(actor.by, target.username)) throw new Failure('self_target');
  const result = await transition(runtime, target, {
    isDue: (account) =>
      !isLockedByAdministrator(account, occurrence.at) ||
      account.lockoutend !== lockoutend ||
      (account.lock_reason ?? '') !== lock_reason,
    to: { lockoutend, lock_reason, stamp: uuid() },
    others: (account) => recount(runtime, account, lockoutend),
    endsCodes: true,
    announcement: announce(runtime, user_lock, occurrence, lockoutend),
  });
  return changedItem(result, now(), settings);
}

/** Ends a lock or a temporary lockout, and clears the failed logins. */
export async function unlockAccount(runtime: Announcing, target: Account, actor: Actor) {
  const { table, now, settings } = runtime;
  const occurrence = occurrenceBy(runtime, actor);
  const cleared = { failures_cleared_at: occurrence.at };
  const result = await transition(runtime, target, {
    isDue: (account) => isLocked(account, now()),
    to: { lockoutend: undefined, lock_reason: undefined, ...cleared },
    others: (account) => recount(runtime, account),
    announcement: announce(runtime, user_unlock, occurrence, undefined),
  });
  if (!result.changed) {
    const Key = accountKey(target.username);
    // Without the condition, an account that is erased meanwhile would leave an item with its name.
    if (await update(table, { Key, ...assign(cleared, { PK: Key.PK }) }))
      throw new Failure('account_not_found');
  }
  return changedItem(result, now(), settings);
}
