import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import type { Texts } from '../texts.ts';
import { credential, credentialTexts } from './credential.ts';

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
        scope: z.optional(z.string()),
        token_type: z.enum(['Bearer', 'Token']),
        client_id: z.string(),
        iat: z.int(),
        exp: z.optional(z.int()),
        amr: z.optional(z.array(z.string())),
        auth_time: z.optional(z.int()),
        access: z.optional(z.literal('read')),
        addresses: z.optional(z.array(z.string())),
      }),
    ]),
} as const satisfies Contract;

export const texts = {
  description: [
    'Describes an API token or a session token that another service received (RFC 7662): its account, its roles and its limits.',
    'Compare `addresses` with the address of the request that presented it, and permit only GET if `access` is `read`.',
    'Every unusable credential is answered with `{"active":false}`.',
    '`token_type_hint` has no effect.',
  ],
  body: credentialTexts,
  response: {
    name: 'Introspection',
    fields: {
      active: 'Whether a request with the credential would be accepted',
      sub: 'Account ID',
      scope: 'Roles that count for the credential, separated by spaces; absent without one',
      token_type: 'Scheme of the `Authorization` header: `Bearer` for session tokens, `Token` for API tokens',
      client_id: 'Name of the API token, or ID of the session',
      iat: 'Time of creation in seconds since the epoch',
      exp: 'Expiry in seconds since the epoch; absent without one',
      amr: 'How the account was authenticated (RFC 8176): `pwd` password, `otp` one-time code, `token` API token, `fed` token of an issuer, or `pop`, `user`, `mfa` passkey; absent for API tokens, and sessions of earlier versions',
      auth_time:
        'Time at which a passkey confirmed the session, in seconds since the epoch; absent for sessions that began otherwise',
      access: '`read` if the credential permits only GET; otherwise absent',
      addresses:
        'CIDR blocks of the credential; requests from other addresses are refused. Absent without a limit',
    },
  },
} as const satisfies Texts;
