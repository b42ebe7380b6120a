import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { Failure, type FieldError } from './failure.ts';
import { redact } from './log/redact.ts';

z.config(en());

/** A body can be at fault in 100,000 places; nobody reads so many, and no answer could hold them. */
const MAX_ERRORS = 100;

/**
 * @param unknown what is said of a field that the schema does not have
 * @throws Failure `invalid_request` that names every field at fault
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

/** A boolean as a query or a setting spells it. */
export const booleanText = (error?: string) =>
  z.pipe(
    z.enum(['true', 'false'], error),
    z.transform((text) => text === 'true'),
  );

/** Texts as a setting spells them: separated by commas, each what `item` takes. */
export const listText = <Item extends z.ZodMiniType<string, string>>(item: Item) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text: string) => text.split(',').flatMap((part) => part.trim() || [])),
    ),
    z.array(item),
  );
