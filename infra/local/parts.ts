/** A service that runs until it is closed; undefined if the instance needs none. */
type Part = { close?(): unknown } | undefined;

/** A list of parts and steps. `Started` has those so far by name: each starts with the ones that it takes from there. */
export interface Parts<Given, Started> {
  /** Adds what runs until it is closed. */
  part<Name extends string, P extends Part>(
    name: Name,
    start: (started: Started) => P | Promise<P>,
  ): Parts<Given, Started & Readonly<Record<Name, P>>>;
  /** Adds what is done once, and has nothing to close. */
  step<Name extends string, Result>(
    name: Name,
    take: (started: Started) => Result | Promise<Result>,
  ): Parts<Given, Started & Readonly<Record<Name, Result>>>;
  /** Starts one after the other. If one fails, it closes those before it and throws the error of that one. */
  start(given: Given): Promise<{
    readonly started: Started;
    /** Closes the parts in reverse, each although others fail. */
    close(): Promise<void>;
  }>;
}

interface Entry {
  readonly name: string;
  readonly start: (started: never) => unknown;
  readonly closes: boolean;
}

/** An empty list, for an instance that is started with `Given`. */
export const parts = <Given extends object>(): Parts<Given, Given> => listOf([]);

const listOf = <Given extends object, Started>(entries: readonly Entry[]): Parts<Given, Started> => ({
  part: (name, start) => listOf([...entries, { name, start, closes: true }]),
  step: (name, start) => listOf([...entries, { name, start, closes: false }]),
  async start(given) {
    const started = { ...given } as Record<string, unknown>;
    const closing = new AsyncDisposableStack();
    try {
      for (const { name, start, closes } of entries) {
        const result = await start(started as never);
        started[name] = result;
        if (closes) closing.defer(async () => void (await (result as Part)?.close?.()));
      }
    } catch (error) {
      await closing.disposeAsync().catch(() => undefined);
      throw error;
    }
    return { started: started as Started, close: () => closing.disposeAsync() };
  },
});
