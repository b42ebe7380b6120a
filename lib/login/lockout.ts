import type { Account } from '../item/account.ts';
import { log } from '../log/log.ts';
import type { Runtime } from '../runtime.ts';
import { countLockout } from '../stats/slices.ts';
import { expecting } from '../table/expressions.ts';
import { accountKey } from '../table/keys.ts';
import { transact } from '../table/write.ts';
import { withOffset } from '../time.ts';
import { PER_NAME } from './attempts.ts';

/** Log message of every lockout; the username is not logged. */
export const LOCKED = 'A password is locked for a time';

/**
 * Locks an account for a time after a lockout of its username. Nothing changes if the account is locked, cancelled or
 * exempt, or if its failures were cleared since.
 *
 * @param account as read, if there is one
 * @param clearedAt time of the last clearing of failures that the caller has read
 * @param begun start of the lockout
 */
export async function lockForATime(
  { table, now }: Runtime,
  username: string,
  account: Account | undefined,
  clearedAt: number,
  begun = now(),
): Promise<void> {
  const time = now();
  // No account has -1 transitions: the write for a cancelled account fails like that for an unknown one, in the same time.
  const condition = expecting({ transitions: account?.isactive === false ? -1 : account?.transitions });
  const end = begun + (PER_NAME.lockoutMs ?? 0);
  const failed = await transact(table, [
    {
      Update: {
        Key: accountKey(username),
        // With the reason of an ended lock, the lockout would count as a lock by an administrator.
        UpdateExpression: 'SET lockoutend = :end REMOVE lock_reason',
        ConditionExpression: `${condition.ConditionExpression} AND lockoutenabled = :true AND (attribute_not_exists(lockoutend) OR lockoutend <= :now)
        AND (attribute_not_exists(failures_cleared_at) OR failures_cleared_at <= :cleared)`,
        ExpressionAttributeNames: condition.ExpressionAttributeNames,
        ExpressionAttributeValues: {
          ...condition.ExpressionAttributeValues,
          ':end': withOffset(end),
          ':true': true,
          ':now': withOffset(time),
          ':cleared': clearedAt,
        },
      },
    },
    // An earlier lock is counted for the rest of its step.
    await countLockout(table, username, end, time, Date.parse(account?.lockoutend ?? '')),
  ]);
  if (!failed) log('warn', { message: LOCKED });
}
