import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { JWKS_CACHE_CONTROL } from '../session/lead.ts';

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
