/** What a field of an event can be at its end. */
export type Leaf = string | number | boolean | null;

/** An event pattern that PutRule refuses; the message says why, and where. */
export class PatternFault extends Error {
  override name = 'InvalidEventPatternException';
}

export const fault = (reason: string) => new PatternFault(`Event pattern is not valid. Reason: ${reason}`);

/** Names a place of a pattern. */
export const at = (path: string) => (path ? ` (at ${path})` : '');

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
