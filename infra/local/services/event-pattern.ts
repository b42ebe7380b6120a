/** What a field may be: one of these values, or a text that begins with a prefix. */
type Condition = string | number | boolean | null | { readonly prefix: string };

/** A pattern of EventBridge, with the conditions `prefix` and equality. All of its fields must match. */
export interface EventPattern {
  readonly [field: string]: readonly Condition[] | EventPattern;
}

/**
 * Whether an event matches a pattern. A field that is a list matches where one of its values does.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */
export function matches(pattern: EventPattern, event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false;
  return Object.entries(pattern).every(([field, expected]) => {
    if (!Object.hasOwn(event, field)) return false;
    const actual = (event as Record<string, unknown>)[field];
    if (!Array.isArray(expected)) return matches(expected as EventPattern, actual);
    const values = Array.isArray(actual) ? actual : [actual];
    return values.some((value) => expected.some((condition) => holds(condition, value)));
  });
}

const holds = (condition: Condition, value: unknown) =>
  typeof condition === 'object' && condition !== null
    ? typeof value === 'string' && value.startsWith(condition.prefix)
    : value === condition;
