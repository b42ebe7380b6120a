/** So many accounts, owners of tokens, and sessions an execution environment remembers, of each. */
const REMEMBERED = 1000;

/** Keeps what was put in last, and at most so many. */
export function remember<T>(memory: Map<string, T>, key: string, value: T): void {
  memory.delete(key);
  memory.set(key, value);
  if (memory.size > REMEMBERED) memory.delete(memory.keys().next().value as string);
}
