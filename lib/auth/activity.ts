import { setTimeout as sleep } from 'node:timers/promises';
import { lastActive } from '../account/account.ts';
import { bestEffort } from '../best-effort.ts';
import type { Account } from '../item/account.ts';
import type { TokenItem } from '../item/token.ts';
import type { Runtime } from '../runtime.ts';
import { moveActivity } from '../stats/slices.ts';
import { accountKey, type Key } from '../table/keys.ts';
import { updateAll } from '../table/write.ts';
import { startOfDay, withoutZone } from '../time.ts';

/** A request waits at most this long for its activity to be recorded, which begins beside its own work. */
const GRACE_MS = 25;

/** Waits for activity to be recorded, but neither for long nor for success. */
export const withinGrace = async (recorded: Promise<unknown> | undefined) =>
  recorded && Promise.race([bestEffort(recorded), sleep(GRACE_MS, undefined, { ref: false })]);

/** Activity of an account and use of a token are each written at most once in this time. */
const ACTIVITY_MS = 60_000;

/** Whether the last activity of an account lies so far back that the next is written. */
export const isActivityDue = (account: Account, now: number) => now - lastActive(account) >= ACTIVITY_MS;

/** The same, or its first use, which is written at once. */
export const isUseDue = (account: Account, now: number) =>
  account.never_used === true || isActivityDue(account, now);

/** A token that a request has presented, as it was read. */
export interface Presented {
  readonly key: Key<TokenItem>;
  readonly item: TokenItem;
}

/**
 * Records the activity of an account, and the use of the token that it has presented, where they are due by what was read.
 * So nothing is sent that would not be written, unless another execution environment has just written it.
 */
export async function recordUse({ table, now }: Runtime, account: Account, token?: Presented): Promise<void> {
  const time = now();
  const ofAccount = activity(account, time);
  const ofToken = token ? tokenUse(token, time) : [];
  const failed = await updateAll(table, [...ofToken, ...ofAccount]);
  // Another has written the activity alone, so the use is still to be written.
  if (failed && failed.write === ofAccount[0]) await updateAll(table, ofToken);
}

/**
 * The writes of an activity, if it is due: that of the account, and where it is the first of a day, that of the counters
 * that it moves between. An account that was never used stood in none, and its first use is written at once.
 */
function activity(account: Account, time: number) {
  const before = lastActive(account);
  const isFirst = account.never_used === true;
  if (!isUseDue(account, time)) return [];
  const ofAccount = {
    Update: {
      Key: accountKey(account.username),
      UpdateExpression: `SET lastActivity = :now${isFirst ? ', never_used = :false' : ''}`,
      ConditionExpression: `id = :id AND lastActivity = :before${isFirst ? ' AND never_used = :true' : ''}`,
      ExpressionAttributeValues: {
        ':now': withoutZone(time),
        ':id': account.id,
        ':before': account.lastActivity,
        ...(isFirst ? { ':true': true, ':false': false } : {}),
      },
    },
  };
  const countsAnew = isFirst || before < startOfDay(time);
  return countsAnew
    ? [ofAccount, moveActivity(account.username, time, isFirst ? undefined : before)]
    : [ofAccount];
}

/** The write of a token's use, if that is due. */
function tokenUse({ key, item }: Presented, time: number) {
  const used = item.token_used_at;
  if (used !== undefined && time - Date.parse(`${used}Z`) < ACTIVITY_MS) return [];
  const Update = {
    Key: key,
    UpdateExpression: 'SET token_used_at = :now',
    ConditionExpression:
      'attribute_exists(PK) AND (attribute_not_exists(token_used_at) OR token_used_at <= :stale)',
    ExpressionAttributeValues: { ':now': withoutZone(time), ':stale': withoutZone(time - ACTIVITY_MS) },
  };
  return [{ Update }];
}
