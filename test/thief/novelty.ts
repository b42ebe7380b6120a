/**
 * Decides which states are visited. Width 1 and 2 are those of iterated width search: a state is visited if a fact, or a pair of
 * facts, is so for the first time. Without a width, all states are visited that differ.
 *
 * @see N. Lipovetzky and H. Geffner, Width and Serialization of Classical Planning Problems, ECAI 2012
 */
export function noveltyOf(width: 1 | 2 | undefined) {
  const numbers = new Map<string, number>();
  const seen = new Set<number | string>();
  const numberOf = (fact: string): number => {
    const number = numbers.get(fact) ?? numbers.size;
    numbers.set(fact, number);
    return number;
  };
  /** More facts than a search meets. */
  const SIZE = 1 << 20;

  function* signsOf(facts: readonly string[], fresh: readonly string[]): Generator<number | string> {
    if (width === undefined) {
      yield facts.join('\n');
      return;
    }
    const all = facts.map(numberOf);
    for (const one of fresh.map(numberOf)) {
      yield one;
      if (width === 2)
        for (const other of all) yield (Math.min(one, other) + 1) * SIZE + Math.max(one, other);
    }
  }

  return {
    /** @param before facts of the state before, whose signs are all known */
    isNovel(facts: readonly string[], before: ReadonlySet<string>): boolean {
      const fresh = width === undefined ? [] : facts.filter((fact) => !before.has(fact));
      for (const sign of signsOf(facts, fresh)) if (!seen.has(sign)) return true;
      return false;
    },
    mark(facts: readonly string[], before: ReadonlySet<string> = new Set()): void {
      const fresh = width === undefined ? [] : facts.filter((fact) => !before.has(fact));
      for (const sign of signsOf(facts, fresh)) seen.add(sign);
    },
  };
}
