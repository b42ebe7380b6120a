import * as z from 'zod/mini';
import type { SchemaTexts } from '../texts.ts';
import { type Issuer, PLATFORMS } from './issuers.ts';

/** An issuer that a new trust can name. */
export const knownIssuerSchema = () =>
  z.strictObject({
    name: z.string(),
    issuer: z.string(),
    platform: z.enum(PLATFORMS),
    audience: z.string(),
  });

export const knownIssuerTexts = {
  name: 'KnownIssuer',
  schema: knownIssuerSchema,
  fields: {
    name: 'Name of the issuer in trusts',
    issuer: 'Identifier of the issuer: `iss` of its tokens',
    platform: 'Platform whose form its tokens have',
    audience: 'The one audience (`aud`) that its tokens must have',
  },
} as const satisfies SchemaTexts;

export type KnownIssuer = z.output<ReturnType<typeof knownIssuerSchema>>;

/** Issuers as whoever creates a trust needs them. @param own audience where an issuer has none of its own */
export const knownIssuers = (issuers: readonly Issuer[], own: string): KnownIssuer[] =>
  issuers.map(({ name, issuer, platform, audience = own }) => ({ name, issuer, platform, audience }));
