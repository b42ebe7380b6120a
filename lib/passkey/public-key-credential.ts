import * as z from 'zod/mini';
import type { SchemaTexts } from '../texts.ts';

/**
 * What a browser returns about a passkey. Browsers add members as WebAuthn grows: others are ignored.
 *
 * @param answer what the device answers beside the challenge
 */
export const publicKeyCredential = <const Answer extends z.core.$ZodLooseShape>(answer: Answer) =>
  z.object({
    id: z.string(),
    rawId: z.string(),
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: z.string(), ...answer }),
  });

export const publicKeyCredentialTexts = {
  fields: {
    id: 'Credential ID in base64url',
    rawId: 'The same',
    type: 'Kind of credential: `public-key`',
    response: 'What the device has answered',
    clientDataJSON: 'Challenge and origin as the browser saw them, in base64url',
  },
} as const satisfies SchemaTexts;
