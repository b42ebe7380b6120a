import { log } from '../log/log.ts';
import type { Runtime } from '../runtime.ts';
import { countLockout } from '../stats/slices.ts';
import { accountKey } from '../table/keys.ts';
import { transact } from '../table/write.ts';
import { withOffset } from '../time.ts';
import { PER_NAME } from './attempts.ts';

/** Said of every lockout; of whom stands in no log. */
export const LOCKED = 'A password is locked for a time';

/**
 * Stops the password of an account, as its name is locked out, unless it is locked already or exempt, or failures
 * have been cleared since.
 *
 * @param clearedAt when failures were last cleared, as far as the caller knows
 */
export async function lockForATime(
  { table, now }: Runtime,
  username: string,
  clearedAt: number,
): Promise<void> {
  const time = now();
  const end = time + (PER_NAME.lockoutMs ?? 0);
  const failed = await transact(table, [
    {
      Update: {
        Key: accountKey(username),
        // Earlier versions had lockouts in an index.
        UpdateExpression: 'SET lockoutend = :end REMOVE GSI2PK, GSI2SK',
        ConditionExpression: `lockoutenabled = :true AND isactive = :true AND (attribute_not_exists(lockoutend) OR lockoutend <= :now)
        AND (attribute_not_exists(failures_cleared_at) OR failures_cleared_at <= :cleared)`,
        ExpressionAttributeValues: {
          ':end': withOffset(end),
          ':true': true,
          ':now': withOffset(time),
          ':cleared': clearedAt,
        },
      },
    },
    await countLockout(table, username, end, time),
  ]);
  if (!failed) log('warn', { message: LOCKED });
}
