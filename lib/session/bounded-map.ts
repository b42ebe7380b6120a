/** Maximum of entries, in each execution environment. */
export const MAX_ENTRIES = 1000;

/** A map that keeps its newest {@link MAX_ENTRIES}: adding one to a full map removes the oldest. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Adds or replaces an entry, which becomes the newest. */
  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > MAX_ENTRIES) this.#entries.delete(this.#entries.keys().next().value as string);
  }
}
