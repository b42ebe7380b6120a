import { lastActive } from '../account/account.ts';
import { bestEffortUntil } from '../async/best-effort.ts';
import type { Account } from '../item/account.ts';
import type { StoredToken, TokenItem } from '../item/token.ts';
import type { Runtime } from '../runtime.ts';
import { moveActivity } from '../stats/slices.ts';
import { assign } from '../table/expressions.ts';
import { accountKey, type Key } from '../table/keys.ts';
import { updateAll } from '../table/write.ts';
import { startOfDay, withoutZone } from '../time.ts';

/** Longest time that an answer waits for its activity, which is recorded in parallel with the request. */
const GRACE_MS = 25;

/** Waits a short time for activity to be recorded, and ignores its failure. */
export const withinGrace = async (recorded: Promise<unknown> | undefined) =>
  recorded && bestEffortUntil(AbortSignal.timeout(GRACE_MS), recorded);

/** Shortest time between two writes of the activity of an account, or of the use of a token. */
const ACTIVITY_MS = 60_000;

/** Whether the next activity of an account is written, by the time of the last one; the first use always is. */
export const isUseDue = (account: Account, now: number) =>
  account.never_used === true || now - lastActive(account) >= ACTIVITY_MS;

/** The token of a request, as read. */
export interface UsedToken {
  readonly key: Key<StoredToken>;
  readonly item: TokenItem;
}

/**
 * Records the activity of an account and the use of its token if they are due by the items as read. It sends
 * a command only if that will write, unless another execution environment was faster.
 */
export async function recordUse({ table, now }: Runtime, account: Account, token?: UsedToken): Promise<void> {
  const time = now();
  const ofAccount = activity(account, time);
  const ofToken = token ? tokenUse(token, time) : [];
  const failed = await updateAll(table, [...ofToken, ...ofAccount]);
  // Another request has written the activity only: the use remains to be written.
  if (failed && failed.write === ofAccount[0]) await updateAll(table, ofToken);
}

/**
 * The writes of an activity, if it is due: of the account and, for the first activity of a day, of the counters. An
 * account that was never used is in no counter.
 */
function activity(account: Account, time: number) {
  const before = lastActive(account);
  const isFirst = account.never_used === true;
  if (!isUseDue(account, time)) return [];
  const to = { lastActivity: withoutZone(time), ...(isFirst && { never_used: false }) };
  const as = { lastActivity: account.lastActivity, ...(isFirst && { never_used: true }) };
  const ofAccount = { Update: { Key: accountKey(account.username), ...assign(to, as) } };
  const isNewDay = isFirst || before < startOfDay(time);
  return isNewDay
    ? [ofAccount, moveActivity(account.username, time, isFirst ? undefined : before)]
    : [ofAccount];
}

function tokenUse({ key, item }: UsedToken, time: number) {
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
