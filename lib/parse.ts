import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { Failure, type FieldError } from './failure.ts';

z.config(en());

/** @throws Failure `invalid_request` that names every field at fault */
export function parse<T extends z.ZodMiniType>(schema: T, input: unknown): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new Failure('invalid_request', { errors: result.error.issues.flatMap(fieldErrors) });
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: 'Unknown property' }));
  return [{ field: path.join('.') || 'body', message: issue.message }];
}
