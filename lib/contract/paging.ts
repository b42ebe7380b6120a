import * as z from 'zod/mini';

/** The query of a listing: everything in one answer unless told otherwise. */
export const pageQuery = () =>
  z.strictObject({
    limit: z.optional(
      z.pipe(
        z.string().check(z.regex(/^([1-9]\d{0,3}|10000)$/, 'Must be a whole number from 1 to 10000')),
        z.transform(Number),
      ),
    ),
    cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(1024))),
  });

/** A time as milliseconds since the epoch: ISO 8601 with its zone, and at most milliseconds. */
export const instant = () =>
  z.pipe(
    z.iso.datetime({ offset: true, error: 'Must be a time such as 2026-11-20T05:30:00Z' }),
    z.transform((text: string) => Date.parse(text)),
  );

/** What a listing adds to its items where they did not fit one answer: pass it back as `cursor`. */
export const page = () => ({ next_cursor: z.optional(z.string()) });
