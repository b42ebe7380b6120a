/** As many as a test does at the same time, unless it says so. */
const AT_ONCE = 2;

/**
 * Does the same with every item, a few at a time; the results are in the order of the items.
 *
 * @param atOnce 1 where each item meets a function that is rarely used: a second environment of it starts in the time
 *   of a hundred requests
 */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T, at: number) => Promise<R>,
  atOnce = AT_ONCE,
): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [at, item] of left) results[at] = await work(item, at);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
