import { moveActivity } from '#lib/stats/slices';
import { accountKey } from '#lib/table/keys';
import type { Table } from '#lib/table/table';
import { transact } from '#lib/table/write';
import { withoutZone } from '#lib/time';

/**
 * Sets the last activity of an account, and counts it there.
 *
 * @param countedOn when it was last active, if it counts on that day
 */
export const setLastActive = (table: Table, username: string, then: number, countedOn?: number) =>
  transact(table, [
    {
      Update: {
        Key: accountKey(username),
        UpdateExpression: 'SET lastActivity = :then, never_used = :false',
        ExpressionAttributeValues: { ':then': withoutZone(then), ':false': false },
      },
    },
    moveActivity(username, then, countedOn),
  ]);
