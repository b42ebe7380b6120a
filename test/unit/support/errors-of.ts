import { expect } from 'vitest';
import type * as z from 'zod/mini';
import type { FieldError } from '#lib/failure/codes';
import { parse } from '#lib/input/parse';
import { failureOf } from './code-of.ts';

/** The faults of an input, as the answer names them; empty when it is valid. */
export const errorsOf = (schema: z.ZodMiniType, input: unknown): readonly FieldError[] =>
  failureOf(() => parse(schema, input))?.errors ?? [];

/** The fields at fault. */
export const fieldsAtFault = (schema: z.ZodMiniType, input: unknown) =>
  errorsOf(schema, input).map(({ field }) => field);

/** Checks that a schema has exactly the fields of a valid example, and requires all except the optional ones. */
export function expectExactFields(
  schema: z.ZodMiniType,
  example: object,
  optional: readonly string[] = [],
): void {
  expect(errorsOf(schema, example)).toEqual([]);
  expect(errorsOf(schema, { ...example, more: 1 })).toEqual([{ field: 'more', message: 'Unknown property' }]);
  for (const name of Object.keys(example).filter((each) => !optional.includes(each)))
    expect(errorsOf(schema, { ...example, [name]: undefined })).toEqual([
      { field: name, message: 'Is required' },
    ]);
  for (const name of optional) expect(errorsOf(schema, { ...example, [name]: undefined })).toEqual([]);
}
