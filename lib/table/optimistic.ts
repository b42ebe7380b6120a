import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure/failure.ts';
import { ConditionFailed } from './write.ts';

/** Longest wait before another attempt, in milliseconds: a write takes some 10. */
const MAX_WAIT_MS = 50;

/**
 * Writes on condition that an item is as it was read. When the condition fails, the write is repeated with the current
 * item, which the failed condition contains, after a random wait, so that many writers do not meet again and again.
 *
 * @param item as it was read; undefined when it did not exist
 * @param write resolves to the failed condition of this item; conditions of other items throw failures of their own
 * @throws Failure `unavailable` when another writer was quicker in each attempt
 */
export async function optimistically<Item, Result>(
  item: Item,
  write: (item: Item) => Promise<Result | ConditionFailed<unknown>>,
  attempts = 5,
): Promise<Result> {
  let current = item;
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) await sleep(Math.random() * MAX_WAIT_MS);
    const result = await write(current);
    if (!(result instanceof ConditionFailed)) return result;
    current = result.item as Item;
  }
  throw new Failure('unavailable', { retryAfter: 1 });
}
