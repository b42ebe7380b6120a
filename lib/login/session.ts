import * as z from 'zod/mini';

/** A new session in the answer to a login. */
export const session = () =>
  z.strictObject({
    JWTtoken: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    expires_at: z.string(),
    username: z.string(),
  });
