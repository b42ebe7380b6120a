/**
 * Does the same work for each item, some at a time; the results are in the order of the items. After the first error it
 * starts no more work, and throws when the running work has ended.
 *
 * @param atOnce the most that runs at the same time
 */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
  atOnce: number,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async () => {
    try {
      for (const [index, item] of queue) results[index] = await work(item, index);
    } catch (error) {
      for (const _ of queue);
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}

/** The items in batches of the same size, except the last, which may be smaller. */
export const inBatches = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
