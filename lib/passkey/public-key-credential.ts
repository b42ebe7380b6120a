import * as z from 'zod/mini';
import type { SchemaTexts } from '../texts.ts';

/**
 * Bytes in base64url. Clients send them with padding, or in the other alphabet of base64, too: these mean the same bytes, and
 * become one text here, since IDs are compared. Anything else stays as it is, and does not verify.
 */
export const binary = () => z.string().check(z.overwrite(canonical));

const BASE64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)?$/;

const canonical = (text: string) =>
  BASE64.test(text) ? Buffer.from(text, 'base64').toString('base64url') : text;

/**
 * What a browser returns about a passkey. Browsers add members as WebAuthn grows: others are ignored.
 *
 * @param answer what the device answers beside the challenge
 */
export const publicKeyCredential = <const Answer extends z.core.$ZodLooseShape>(answer: Answer) =>
  z.object({
    id: binary(),
    rawId: binary(),
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: binary(), ...answer }),
  });

export const publicKeyCredentialTexts = {
  fields: {
    id: 'Credential ID in base64url; in each member, padding and the characters `+` and `/` of base64 are accepted, too',
    rawId: 'The same',
    type: 'Kind of credential: `public-key`',
    response: 'What the device has answered',
    clientDataJSON: 'Challenge and origin as the browser saw them, in base64url',
  },
} as const satisfies SchemaTexts;
