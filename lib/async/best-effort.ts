/** Waits for work whose failure is ignored; resolves to undefined then. */
export const bestEffort = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);
