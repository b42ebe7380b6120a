/** Work that may fail without anybody noticing; undefined where it has. */
export const quietly = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);
