import type * as z from 'zod/mini';
import { Failure, type FieldError } from '#lib/failure';
import { parse } from '#lib/parse';

/** What is at fault with an input, as the answer names it; empty where it is valid. */
export function errorsOf(schema: z.ZodMiniType, input: unknown): readonly FieldError[] {
  try {
    parse(schema, input);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.errors ?? [];
  }
}
