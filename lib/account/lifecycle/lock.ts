import type { Actor } from '../../event/account-event.ts';
import { userLock } from '../../event/user-lock.ts';
import { userUnlock } from '../../event/user-unlock.ts';
import { Failure } from '../../failure.ts';
import { type Account, FOREVER } from '../../item/account.ts';
import { type Announcing, announce, changeBy } from '../../outbox/announcement.ts';
import { countIn } from '../../stats/counters.ts';
import { uncountLockout } from '../../stats/slices.ts';
import { accountKey } from '../../table/keys.ts';
import { update } from '../../table/write.ts';
import { isLocked, isLockedForGood, sameUsername } from '../account.ts';
import { changedItem } from '../directory/item.ts';
import { transition } from './transition.ts';

/** Attributes of lockouts by earlier versions, which stored these in an index and did not count them. */
const FORMER_INDEX = { GSI2PK: undefined, GSI2SK: undefined };

/** Uncounts a temporary lockout that ends before its time. */
const endCount = ({ username, lockoutend = '', ...others }: Account, now: number) =>
  lockoutend === FOREVER || 'GSI2PK' in others ? [] : uncountLockout(username, Date.parse(lockoutend), now);

/**
 * Locks an account until an administrator unlocks it, and ends its sessions.
 *
 * @throws Failure `self_target`
 */
export async function lockAccount(runtime: Announcing, target: Account, actor: Actor) {
  const { table, now, uuid } = runtime;
  if (sameUsername(actor.by, target.username)) throw new Failure('self_target');
  const change = changeBy(runtime, actor);
  const result = await transition(table, target, {
    isDue: (account) => !isLockedForGood(account),
    to: { lockoutend: FOREVER, stamp: uuid(), codes_void_at: change.at, ...FORMER_INDEX },
    others: (account) => [countIn('LOCKED', account.username, 1), ...endCount(account, now())],
    announcement: announce(runtime, userLock, change, undefined),
  });
  return changedItem(result, now());
}

/** Ends a lockout of either kind, and clears the failed logins. */
export async function unlockAccount(runtime: Announcing, target: Account, actor: Actor) {
  const { table, now } = runtime;
  const change = changeBy(runtime, actor);
  const cleared = { failures_cleared_at: change.at };
  const result = await transition(table, target, {
    isDue: (account) => isLocked(account, now()),
    to: { lockoutend: undefined, ...cleared, ...FORMER_INDEX },
    others: (account) =>
      isLockedForGood(account) ? [countIn('LOCKED', account.username, -1)] : endCount(account, now()),
    announcement: announce(runtime, userUnlock, change, undefined),
  });
  if (!result.changed)
    await update(table, {
      Key: accountKey(target.username),
      UpdateExpression: 'SET failures_cleared_at = :now',
      ExpressionAttributeValues: { ':now': cleared.failures_cleared_at },
    });
  return changedItem(result, now());
}
