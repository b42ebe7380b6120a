import { type Answer, NEW, type Operation, type State, step } from './account-model.ts';

/** One operation of a history. */
export interface Entry {
  readonly operation: Operation;
  /** Times of the request and the answer. Without an answer, it may take effect at any time or not at all. */
  readonly start: number;
  readonly end: number;
  readonly answer: Answer;
}

/**
 * Whether the operations can have taken effect one by one, each between its start and its end, with these answers
 * (Herlihy and Wing 1990). Searches as Wing and Gong 1993, and visits no state twice as Lowe 2017.
 */
export function isLinearisable(history: readonly Entry[]): boolean {
  const seen = new Set<string>();
  const order = new Map(history.map((entry, index) => [entry, index]));
  const search = (state: State, left: readonly Entry[]): boolean => {
    if (left.every(({ answer }) => answer === undefined)) return true;
    const key = `${left.map((entry) => order.get(entry)).join()} ${JSON.stringify(state)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    // An operation that began after the answer of another comes after it.
    const firstEnd = Math.min(...left.map(({ end }) => end));
    return left.some((entry) => {
      if (entry.start > firstEnd) return false;
      const next = step(state, entry.operation, entry.answer);
      return (
        next !== undefined &&
        search(
          next,
          left.filter((other) => other !== entry),
        )
      );
    });
  };
  return search(
    NEW,
    [...history].sort((a, b) => a.start - b.start),
  );
}
