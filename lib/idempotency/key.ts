import * as z from 'zod/mini';

/** The request header of an operation that may be repeated. */
export const idempotencyKey = () =>
  z.object({
    'idempotency-key': z.optional(
      z.string().check(z.regex(/^[\x21-\x7e]{1,255}$/, 'Must be 1 to 255 visible characters of ASCII')),
    ),
  });
