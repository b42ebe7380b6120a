import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { JWKS_MAX_AGE_SECONDS } from '../session/lead.ts';
import type { Texts } from '../texts.ts';
import { WELL_KNOWN } from './well-known.ts';

/** RFC 7517. */
export const contract = {
  ...WELL_KNOWN,
  id: 'oauth.jwks',
  summary: 'Read the keys of tokens for other services',
  path: '/.well-known/jwks.json',
  needs: ['table:Query:RESOURCE_KEYS'],
  headers: {
    ...WELL_KNOWN.headers,
    // A gateway behind a shared cache keeps what that has for two hours more, and must have a key before it signs.
    'cache-control': `${WELL_KNOWN.headers['cache-control']}, s-maxage=${JWKS_MAX_AGE_SECONDS}`,
    'content-type': 'application/jwk-set+json',
  },
  response: () =>
    z.strictObject({
      keys: z.array(
        z.strictObject({
          kty: z.literal('RSA'),
          n: z.string(),
          e: z.string(),
          kid: z.string(),
          alg: z.literal('RS256'),
          use: z.literal('sig'),
        }),
      ),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Returns the JWK Set with which other services verify the tokens that `oauth/token` issues for them (`resource`). Metadata name this URL as `jwks_uri`.',
    'A key is here for 2 hours and 10 minutes before it signs, so that a cache of two hours is no problem. Sessions of this API are verified with other keys (`system/jwks`), and are no tokens for other services.',
  ],
  response: {
    name: 'ResourceKeys',
    fields: {
      keys: 'Keys that verify: the one that signs, its successor, and retired ones with tokens that are still valid',
      kty: 'Key type',
      n: 'Modulus, in base64url',
      e: 'Exponent, in base64url',
      kid: 'Key ID, as in the header of a token',
      alg: 'RS256: RSASSA-PKCS1-v1_5 with SHA-256',
      use: 'Use of the key: signatures',
    },
  },
} as const satisfies Texts;
