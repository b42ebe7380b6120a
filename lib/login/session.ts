import * as z from 'zod/mini';
import type { SchemaTexts } from '../texts.ts';

const newestPasskey = () => z.strictObject({ name: z.string(), created_at: z.string() });

const newestPasskeyTexts = {
  name: 'NewestPasskey',
  schema: newestPasskey,
  fields: {
    name: 'Name of the passkey, unique within its account',
    created_at: 'Time of creation (UTC, ends in `Z`)',
  },
} as const satisfies SchemaTexts;

/** A new session in the answer to a login. */
export const session = () =>
  z.strictObject({
    JWTtoken: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    expires_at: z.string(),
    username: z.string(),
    newest_passkey: z.nullable(newestPasskey()),
  });

export const sessionTexts = {
  name: 'Session',
  parts: [newestPasskeyTexts],
  fields: {
    JWTtoken: 'Session token: a JWT signed with ES256. Send it as `Authorization: Bearer`',
    token_type: 'Scheme of the `Authorization` header: `Bearer` for session tokens, `Token` for API tokens',
    expires_in: 'Lifetime of the session token in seconds',
    expires_at: 'Expiry of the session token (UTC, ends in `Z`)',
    newest_passkey:
      'Passkey of the account that was created last, to notice one of someone else; null without one, and if all were created before this field existed',
  },
} as const satisfies SchemaTexts;
