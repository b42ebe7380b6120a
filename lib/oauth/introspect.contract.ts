import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { credential } from './credential.ts';

/** RFC 7662. */
export const contract = {
  id: 'oauth.introspect',
  summary: 'Inspect a credential',
  method: 'POST',
  path: '/api/core/oauth/introspect',
  access: { role: 'sys_introspection' },
  needs: [],
  headers: { 'cache-control': 'no-store' },
  repeatable: true,
  body: credential,
  bodyKind: 'form',
  response: () =>
    z.discriminatedUnion('active', [
      z.strictObject({ active: z.literal(false) }),
      z.strictObject({
        active: z.literal(true),
        sub: z.uuid(),
        username: z.string(),
        scope: z.string(),
        token_type: z.enum(['Bearer', 'Token']),
        client_id: z.string(),
        iat: z.int(),
        exp: z.optional(z.int()),
        access: z.optional(z.literal('read')),
        addresses: z.optional(z.array(z.string())),
      }),
    ]),
} as const satisfies Contract;
