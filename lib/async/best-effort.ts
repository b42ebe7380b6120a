/** Waits for work whose failure is ignored; resolves to undefined then. */
export const bestEffort = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);

/** The same until a signal: it resolves to undefined then, while the work goes on. */
export const bestEffortUntil = <T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> =>
  Promise.race([
    bestEffort(work),
    new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined))),
  ]);
