import * as z from 'zod/mini';
import type { SchemaTexts } from '../texts.ts';

/** The hint has no effect, since a credential shows its kind. Other fields are refused, as in all bodies. */
export const credential = () =>
  z.strictObject({ token: z.string().check(z.minLength(1)), token_type_hint: z.optional(z.string()) });

export const credentialTexts = {
  name: 'PresentedCredential',
  fields: {
    token: 'API token, with or without the prefix `api:`, or session token',
    token_type_hint: 'Kind of the credential; no effect',
  },
} as const satisfies SchemaTexts;
