import { isJsonObject } from '#lib/input/exact-json';

export type Matches = (event: unknown) => boolean;

/** Each field names the values that match, or has a pattern of its own. */
interface Pattern {
  readonly [field: string]: readonly unknown[] | Pattern;
}

/**
 * Reads the event pattern of a rule, as JSON. Every field of the pattern must match one of its exact values. An array
 * in the event matches if one of its elements does.
 *
 * @throws Error if the pattern is empty, or has an operator such as `prefix`, which only EventBridge supports
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */
export function parsePattern(text: string): Matches {
  const pattern = patternOf(JSON.parse(text), 'the pattern');
  return (event) => matches(pattern, event);
}

function patternOf(value: unknown, place: string): Pattern {
  if (!isJsonObject(value) || Object.keys(value).length === 0)
    throw new Error(`${place} must be an object with fields, or an array of values`);
  for (const [field, expected] of Object.entries(value)) {
    if (!Array.isArray(expected)) patternOf(expected, field);
    else if (expected.length === 0 || expected.some((each) => typeof each === 'object' && each !== null))
      throw new Error(`${field} must be an array of exact values: the local bus supports no operators`);
  }
  return value as Pattern;
}

const matches = (pattern: Pattern, event: unknown): boolean =>
  elements(event).some(
    (one) =>
      isJsonObject(one) &&
      Object.entries(pattern).every(([field, expected]) =>
        Array.isArray(expected)
          ? elements(one[field]).some((value) => expected.includes(value))
          : matches(expected as Pattern, one[field]),
      ),
  );

const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
