import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { JWKS_CACHE_CONTROL } from '../session/lead.ts';
import type { Texts } from '../texts.ts';

export const contract = {
  id: 'system.jwks',
  summary: 'Read the public keys',
  method: 'GET',
  path: '/api/core/system/jwks',
  access: 'public',
  needs: ['table:Query:KEYS'],
  headers: { 'cache-control': JWKS_CACHE_CONTROL, 'content-type': 'application/jwk-set+json' },
  response: () =>
    z.strictObject({
      keys: z.array(
        z.strictObject({
          kty: z.literal('EC'),
          crv: z.literal('P-256'),
          x: z.string(),
          y: z.string(),
          kid: z.string(),
          alg: z.literal('ES256'),
          use: z.literal('sig'),
        }),
      ),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Returns a JWK Set with which other services verify session tokens: `ES256`, type `at+jwt`, `iss` and `aud` both `urn:core-account:<name of the instance>`.',
    'The claims are `sub` (account ID), `name` (username), `iat`, `nbf`, `exp`, `sst` (security stamp; changes at logout, password change and lock) and `jti`.',
    'Roles are not in the token.',
    'Verification with the keys alone does not detect sessions that ended early.',
  ],
  response: {
    name: 'PublicKeys',
    fields: {
      keys: 'Keys that verify session tokens: the current one, the next one, and retired ones with tokens that are still valid',
      kty: 'Key type',
      crv: 'Elliptic curve of the key',
      x: 'Coordinate of the public key, in base64url',
      y: 'Coordinate of the public key, in base64url',
      kid: 'Key ID, as in the header of a session token',
      alg: 'ES256: ECDSA on P-256 with SHA-256',
      use: 'Use of the key: signatures',
    },
  },
} as const satisfies Texts;
