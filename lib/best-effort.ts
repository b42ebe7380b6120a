/** Waits for work whose failure does not matter: undefined where it has failed. */
export const bestEffort = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);
