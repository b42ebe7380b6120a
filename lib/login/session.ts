import * as z from 'zod/mini';
import type { SchemaTexts } from '../texts.ts';

/** A new session in the answer to a login. */
export const session = () =>
  z.strictObject({
    JWTtoken: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    expires_at: z.string(),
    username: z.string(),
  });

export const sessionTexts = {
  name: 'Session',
  fields: {
    JWTtoken: 'Session token: a JWT signed with ES256. Send it as `Authorization: Bearer`',
    token_type: 'Scheme of the `Authorization` header: `Bearer` for session tokens, `Token` for API tokens',
    expires_in: 'Lifetime of the session token in seconds',
    expires_at: 'Expiry of the session token (UTC, ends in `Z`)',
  },
} as const satisfies SchemaTexts;
