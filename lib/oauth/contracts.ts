import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING, TOKEN_DELETION } from '../contract/needs.ts';

/** The hint has no effect, since a credential shows its kind. Other fields are refused, as in all bodies. */
const credential = () =>
  z.strictObject({ token: z.string().check(z.minLength(1)), token_type_hint: z.optional(z.string()) });

/** RFC 7662. */
export const introspect = {
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

/** RFC 7009. */
export const revoke = {
  id: 'oauth.revoke',
  summary: 'End a credential',
  method: 'POST',
  path: '/api/core/oauth/revoke',
  access: 'authenticated',
  needs: ['transaction:UpdateItem:ACCOUNT:ended', TOKEN_DELETION, PUBLISHING],
  headers: { 'cache-control': 'no-store' },
  repeatable: true,
  body: credential,
  bodyKind: 'form',
  response: () => z.strictObject({}),
} as const satisfies Contract;
