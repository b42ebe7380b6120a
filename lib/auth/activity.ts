import { setTimeout as sleep } from 'node:timers/promises';
import { lastActive, MAY_AUTHENTICATE, mayAuthenticate } from '../account/account.ts';
import { bestEffort } from '../best-effort.ts';
import type { Account } from '../item/account.ts';
import type { TokenItem } from '../item/token.ts';
import type { Runtime } from '../runtime.ts';
import { accountKey, type Key } from '../table/keys.ts';
import { countActivity } from '../table/stats.ts';
import { transact, update } from '../table/write.ts';
import { startOfDay, withoutZone } from '../time.ts';

/** A request waits at most this long for its activity to be recorded, which begins beside its reads. */
const GRACE_MS = 25;

/** Waits for activity to be recorded, but neither for long nor for success. */
export const withinGrace = (recorded: Promise<unknown> | undefined) =>
  Promise.race([recorded && bestEffort(recorded), sleep(GRACE_MS, undefined, { ref: false })]);

/** Activity of an account and use of a token are each written at most once in this time. */
const ACTIVITY_MS = 60_000;

/** Whether the last activity of an account lies so far back that the next is written. */
export const isActivityDue = (account: Account, now: number) => now - lastActive(account) >= ACTIVITY_MS;

/**
 * Sets `lastActivity` where that is of today, over a minute old, and the account may authenticate and was used before. It is sent
 * beside the read that authenticates, not after it, so the write itself checks all that the read will say.
 */
function touch(username: string, now: number, expected: { id: string; stamp?: string }) {
  return {
    Key: accountKey(username),
    UpdateExpression: 'SET lastActivity = :now',
    ConditionExpression: `${MAY_AUTHENTICATE.condition}
      AND (attribute_not_exists(never_used) OR never_used = :false)
      AND lastActivity >= :today AND lastActivity <= :stale AND id = :id${expected.stamp ? ' AND stamp = :stamp' : ''}`,
    ExpressionAttributeValues: {
      ...MAY_AUTHENTICATE.values,
      ':false': false,
      ':now': withoutZone(now),
      ':today': withoutZone(startOfDay(now)),
      ':stale': withoutZone(now - ACTIVITY_MS),
      ':id': expected.id,
      ...(expected.stamp ? { ':stamp': expected.stamp } : {}),
    },
  };
}

/** Records the activity of an account that has presented a session with this stamp. */
export async function recordSessionActivity(
  { table, now }: Runtime,
  username: string,
  id: string,
  stamp: string,
) {
  await update(table, touch(username, now(), { id, stamp }));
}

/** Records the use of a token, and with it the activity of its owner. */
export async function recordTokenUse({ table, now }: Runtime, key: Key<TokenItem>, token: TokenItem) {
  const time = now();
  const used = token.token_used_at;
  if (used !== undefined && time - Date.parse(`${used}Z`) < ACTIVITY_MS) return;
  const use = {
    Key: key,
    UpdateExpression: 'SET token_used_at = :now',
    ConditionExpression:
      'attribute_exists(PK) AND (attribute_not_exists(token_used_at) OR token_used_at <= :stale)',
    ExpressionAttributeValues: { ':now': withoutZone(time), ':stale': withoutZone(time - ACTIVITY_MS) },
  };
  const ofOwner = { Update: touch(token.username, time, { id: token.userid }) };
  const failed = await transact(table, [{ Update: use }, ofOwner]);
  const owner = failed?.write === ofOwner ? (failed.item as Account | undefined) : undefined;
  // The owner may authenticate, and its activity is just not due or moves to another day.
  if (owner && owner.id === token.userid && mayAuthenticate(owner)) await update(table, use);
}

/**
 * Moves an account that is active for the first time on a day to the counter of that day. One that was never used stood in
 * none, and its first use is written at once.
 */
export async function recordDailyActivity({ table, now }: Runtime, account: Account) {
  const time = now();
  const before = lastActive(account);
  const isFirst = account.never_used === true;
  if (!isFirst && (before >= startOfDay(time) || !isActivityDue(account, time))) return;
  await transact(table, [
    {
      Update: {
        Key: accountKey(account.username),
        UpdateExpression: `SET lastActivity = :now${isFirst ? ', never_used = :false' : ''}`,
        ConditionExpression: `lastActivity = :before${isFirst ? ' AND never_used = :true' : ''}`,
        ExpressionAttributeValues: {
          ':now': withoutZone(time),
          ':before': account.lastActivity,
          ...(isFirst ? { ':true': true, ':false': false } : {}),
        },
      },
    },
    ...countActivity(account.username, time, isFirst ? undefined : before),
  ]);
}
