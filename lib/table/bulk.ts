import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { inBatches, inParallel } from '../async/in-parallel.ts';
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
  await forEach(inBatches(items, MAX_PUTS), (batch) => putBatch(table, batch));
}

/**
 * Puts items as {@link putAll} does, except those that DynamoDB refuses as invalid.
 *
 * @returns the number of refused items
 */
export async function putAccepted(table: Table, items: readonly object[]): Promise<number> {
  const refused = await inParallel(inBatches(items, MAX_PUTS), (batch) => refusedOf(table, batch), AT_ONCE);
  return refused.reduce((sum, more) => sum + more, 0);
}

/** Puts items, by halves if DynamoDB refuses them together, and counts those that it refuses alone. */
async function refusedOf(table: Table, items: readonly object[]): Promise<number> {
  try {
    await putBatch(table, items);
    return 0;
  } catch (error) {
    if (!isInvalid(error)) throw error;
    if (items.length === 1) return 1;
    const middle = Math.floor(items.length / 2);
    return (await refusedOf(table, items.slice(0, middle))) + (await refusedOf(table, items.slice(middle)));
  }
}

const INVALID = new Set(['ValidationException', 'SerializationException']);

/** Whether DynamoDB has refused an item as invalid. */
export const isInvalid = (error: unknown) => INVALID.has((error as Error).name);

function putBatch(table: Table, items: readonly object[]): Promise<unknown> {
  let pending: NonNullable<BatchWriteCommand['input']['RequestItems']>[string] = items.map((Item) => ({
    PutRequest: { Item: { ...Item } },
  }));
  return patiently(async () => {
    const RequestItems = { [table.name]: pending };
    const { UnprocessedItems } = await table.client.send(new BatchWriteCommand({ RequestItems }));
    pending = UnprocessedItems?.[table.name] ?? [];
    return pending.length > 0 ? AGAIN : undefined;
  }, PATIENT);
}
