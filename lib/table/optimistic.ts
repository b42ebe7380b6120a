import { Failure } from '../failure.ts';
import { ConditionFailed } from './write.ts';

/**
 * Writes what follows from an item as it was read, on condition that it still is so; where somebody was
 * quicker, again with the item that the failed condition shows.
 *
 * @param item as read last; undefined where there was none
 * @param write resolves to the failed condition of this very item; those of others mean failures of their own
 * @throws Failure `unavailable` when somebody always is quicker
 */
export async function optimistically<Item, Result>(
  item: Item,
  write: (item: Item) => Promise<Result | ConditionFailed<unknown>>,
  attempts = 5,
): Promise<Result> {
  let current = item;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const result = await write(current);
    if (!(result instanceof ConditionFailed)) return result;
    current = result.item as Item;
  }
  throw new Failure('unavailable', { retryAfter: 1 });
}
