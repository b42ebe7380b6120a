import * as z from 'zod/mini';

/** The hint has no effect, since a credential shows its kind. Other fields are refused, as in all bodies. */
export const credential = () =>
  z.strictObject({ token: z.string().check(z.minLength(1)), token_type_hint: z.optional(z.string()) });
