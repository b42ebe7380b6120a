import * as z from 'zod/mini';
import type { FieldError } from '../failure/codes.ts';
import { Failure } from '../failure/failure.ts';
import { redact } from '../log/redact.ts';

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
};
const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

const limited = (bound: string, limit: number | bigint, origin: string) =>
  origin in UNITS
    ? `Must have ${bound} ${limit} ${UNITS[origin]}${limit === 1 ? '' : 's'}`
    : `Must be ${bound} ${limit}`;

/** The text of a fault that its schema does not word. */
function wordingOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'Is required';
  if (issue.code === 'invalid_type') return `Must be ${TYPES[issue.expected] ?? 'an object'}`;
  if (issue.code === 'invalid_value') return `Must be ${issue.values.join(' or ')}`;
  if (issue.code === 'too_big') return limited('at most', issue.maximum, issue.origin);
  if (issue.code === 'too_small') return limited('at least', issue.minimum, issue.origin);
  return issue.code === 'invalid_format' && issue.format === 'uuid' ? 'Must be a UUID' : 'Is not valid';
}

z.config({ localeError: wordingOf });

/** Maximum of reported faults: a body may have 100,000, too many for an answer. */
const MAX_ERRORS = 100;

/**
 * @param unknown message for a field that the schema does not have
 * @throws Failure `invalid_request` that names each invalid field
 */
export function parse<T extends z.ZodMiniType>(
  schema: T,
  input: unknown,
  unknown = 'Unknown property',
): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const errors = new Map<string, FieldError>();
  // The first fault of a field explains it.
  for (const error of result.error.issues.flatMap((issue) => fieldErrors(issue, unknown)))
    if (!errors.has(error.field)) errors.set(error.field, error);
  throw new Failure('invalid_request', { errors: [...errors.values()].slice(0, MAX_ERRORS) });
}

function fieldErrors(issue: z.core.$ZodIssue, unknown: string): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ field: redact([...path, key].join('.')), message: unknown }));
  return [{ field: path.join('.') || 'body', message: issue.message }];
}

/** A boolean as text, in a query or a setting. */
export const booleanText = () =>
  z.pipe(
    z.enum(['true', 'false']),
    z.transform((text) => text === 'true'),
  );

/** A number as text in a setting, in the form of a pattern. */
export const numberText = (pattern: RegExp, ...checks: z.core.$ZodCheck<number>[]) =>
  z.pipe(z.pipe(z.string().check(z.regex(pattern)), z.transform(Number)), z.number().check(...checks));

/** A list as text in a setting: separated by commas, each item valid by `item`. */
export const listText = <Item extends z.ZodMiniType<string, string>>(item: Item) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text: string) => text.split(',').flatMap((part) => part.trim() || [])),
    ),
    z.array(item),
  );
