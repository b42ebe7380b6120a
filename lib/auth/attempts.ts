import { expecting } from '../table/expressions.ts';
import type { Key } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import type { Table } from '../table/table.ts';
import { put } from '../table/write.ts';

/** So many failed logins within a window that slides. */
interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

/** For one username from one source address: more are refused unread. */
export const FROM_ADDRESS: Limit = { max: 5, windowMs: 5 * 60_000 };

/** For one account from anywhere: more lock its password for a time. */
export const FROM_ANYWHERE: Limit = { max: 50, windowMs: 15 * 60_000 };

/** The times of failed logins, oldest first, in milliseconds since the epoch. */
export interface AttemptsItem {
  readonly failures: readonly number[];
}

/** The failures that count now: within the window, and after they were last cleared. */
export const counted = (
  item: AttemptsItem | undefined,
  { windowMs }: Limit,
  now: number,
  clearedAt: number,
): readonly number[] => (item?.failures ?? []).filter((at) => at > now - windowMs && at > clearedAt);

/** Whether no further failure is admitted. */
export const isFull = (failures: readonly number[], { max }: Limit) => failures.length >= max;

/** Seconds until the oldest failure leaves the window. */
export const retryAfter = (failures: readonly number[], { windowMs }: Limit, now: number) =>
  Math.max(1, Math.ceil(((failures[0] ?? now) + windowMs - now) / 1000));

/**
 * Records a failure unless the limit is reached. The write carries the condition that nobody else has recorded
 * one since, so parallel guesses get no more tries than sequential ones.
 *
 * @param item what was last read of the attempts
 * @returns the failures that count, and whether this one was recorded among them
 */
export async function recordFailure(
  table: Table,
  key: Key,
  limit: Limit,
  now: number,
  clearedAt: number,
  item: AttemptsItem | undefined,
): Promise<{ failures: readonly number[]; recorded: boolean }> {
  const write = async (known: AttemptsItem | undefined) => {
    const before = counted(known, limit, now, clearedAt);
    if (isFull(before, limit)) return { failures: before, recorded: false };
    const failures = [...before, now];
    const refusal = await put(table, {
      Item: { ...key, failures, ttl: Math.ceil((now + limit.windowMs) / 1000) },
      ...expecting({ failures: known?.failures }),
    });
    return refusal ?? { failures, recorded: true };
  };
  // Whoever is refused learns of another failure recorded, so these attempts are always enough.
  return optimistically(item, write, 2 * limit.max);
}
