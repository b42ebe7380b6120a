import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { Failure, type FieldError } from './failure.ts';
import { redact } from './log/redact.ts';

z.config(en());

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
  throw new Failure('invalid_request', {
    errors: result.error.issues.flatMap((issue) => fieldErrors(issue, unknown)).slice(0, MAX_ERRORS),
  });
}

function fieldErrors(issue: z.core.$ZodIssue, unknown: string): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ field: redact([...path, key].join('.')), message: unknown }));
  const message = issue.message.endsWith('received undefined') ? 'Is required' : issue.message;
  return [{ field: path.join('.') || 'body', message }];
}

/** A boolean as text, in a query or a setting. */
export const booleanText = (error?: string) =>
  z.pipe(
    z.enum(['true', 'false'], error),
    z.transform((text) => text === 'true'),
  );

/** A list as text in a setting: separated by commas, each item valid by `item`. */
export const listText = <Item extends z.ZodMiniType<string, string>>(item: Item) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text: string) => text.split(',').flatMap((part) => part.trim() || [])),
    ),
    z.array(item),
  );
