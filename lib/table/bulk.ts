import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { inParallel } from '../async/in-parallel.ts';
import { AGAIN, PATIENT, type Patience, retry } from '../async/retry.ts';
import { isOutage } from '../network/aws.ts';
import type { Table } from './table.ts';

/** Concurrent changes: about a third of the capacity of a new on-demand table at 10 ms each. */
const AT_ONCE = 16;

/** Patience of operator commands with throttling and short outages: at most 90 s, on average half of it. */
const LONG: Patience = { attempts: 18, maxWaitMs: 10_000 };

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Does the same work for each thing, {@link AT_ONCE} at a time. */
export const forEach = <T>(things: readonly T[], work: (thing: T) => Promise<unknown>) =>
  inParallel(things, work, AT_ONCE);

/** Repeats work that fails by an outage; the work must be idempotent. */
export const patiently = <T>(work: () => Promise<T>, patience: Patience = LONG): Promise<T> =>
  retry<T>(async () => {
    try {
      return await work();
    } catch (error) {
      if (isOutage(error)) return AGAIN;
      throw error;
    }
  }, patience);

/** Maximum of items in one BatchWriteItem. */
const MAX_PUTS = 25;

/**
 * Puts items, in any order, {@link MAX_PUTS} in a call, and those again that DynamoDB leaves unprocessed. After an error
 * some of them are stored.
 *
 * @param items with keys that differ
 */
export async function putAll(table: Table, items: readonly object[]): Promise<void> {
  const requests = items.map((Item) => ({ PutRequest: { Item: { ...Item } } }));
  const batches = Array.from({ length: Math.ceil(requests.length / MAX_PUTS) }, (_, n) =>
    requests.slice(n * MAX_PUTS, (n + 1) * MAX_PUTS),
  );
  await forEach(batches, (batch) => {
    let pending: NonNullable<BatchWriteCommand['input']['RequestItems']>[string] = batch;
    return patiently(async () => {
      const RequestItems = { [table.name]: pending };
      const { UnprocessedItems } = await table.client.send(new BatchWriteCommand({ RequestItems }));
      pending = UnprocessedItems?.[table.name] ?? [];
      return pending.length > 0 ? AGAIN : undefined;
    }, PATIENT);
  });
}
