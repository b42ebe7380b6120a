import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { ACTIVITY } from '../contract/needs.ts';
import type { Texts } from '../texts.ts';
import { TOKEN_TYPES } from './grant-types.ts';

const text = () => z.optional(z.string());

/** RFC 6749, 7523, 8693, 8707. */
export const contract = {
  id: 'oauth.token',
  summary: 'Exchange a credential for a token',
  method: 'POST',
  path: '/api/core/oauth/token',
  access: 'public',
  errors: 'oauth',
  needs: [
    'table:GetItem:ACCOUNT',
    'table:GetItem:TOKEN',
    'table:BatchGetItem:ACCOUNT',
    'table:BatchGetItem:TOKEN',
    'table:BatchGetItem:ENDED',
    'table:BatchGetItem:TRUST',
    'table:BatchGetItem:ISSUER',
    'table:UpdateItem:ISSUER',
    'table:PutItem:SESSION',
    'table:UpdateItem:TOKEN:session',
    'table:UpdateItem:SESSION:trust',
    'transaction:UpdateItem:SESSION:trust',
    'transaction:UpdateItem:GRANT',
    ...ACTIVITY,
    'table:Query:KEYS',
    'table:UpdateItem:KEYS:publish',
    'signing-key:read',
    'table:Query:RESOURCE_KEYS',
    'table:UpdateItem:RESOURCE_KEYS:publish',
    'resource-key:read',
  ],
  audit: { target: 'account', details: ['session', 'resource', 'token_id'] },
  failures: ['invalid_credentials'],
  headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
  throttle: { rate: 100, burst: 200 },
  maxBodyBytes: 32 * 1024,
  /** Parameters that this endpoint does not know are ignored (RFC 6749 section 3.2). */
  body: () =>
    z.object({
      grant_type: text(),
      client_id: text(),
      client_secret: text(),
      scope: text(),
      resource: z.optional(z.union([z.string(), z.array(z.string())])),
      audience: text(),
      subject_token: text(),
      subject_token_type: text(),
      requested_token_type: text(),
      actor_token: text(),
      assertion: text(),
    }),
  bodyKind: 'form',
  repeatableFields: ['resource'],
  response: () =>
    z.strictObject({
      access_token: z.string(),
      issued_token_type: z.optional(z.literal(TOKEN_TYPES.access)),
      token_type: z.literal('Bearer'),
      expires_in: z.int(),
      scope: z.optional(z.string()),
      requestID: z.string(),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Exchanges a credential for a token, as OAuth 2.0 clients do it (RFC 6749): an API token (`client_credentials`, any client id), the token that a platform gives its job (`token-exchange` of RFC 8693, `jwt-bearer` of RFC 7523), or a session token or API token of this API (`token-exchange`).',
    'Without `resource`, the answer is a session token for this API. With the audience of another service as `resource` (RFC 8707), it is a token that this service verifies by itself, with the keys at `/.well-known/jwks.json` (RFC 9068): `RS256`, type `at+jwt`, at most 15 minutes. This API accepts no such token, and nothing ends one early.',
    'A job names its trust as `<trust>@<machine>`: in `client_id`, or for an exchange in `audience`.',
    '`scope` narrows the token to some roles. There are no refresh tokens.',
    'Answers and refusals have the form of RFC 6749, without the envelope. A token that is not accepted gets the same answer for each cause; the audit log, and `trust try` of the operators, have it.',
  ],
  body: {
    name: 'TokenRequest',
    fields: {
      grant_type:
        'Grant, as `grant_types_supported` of the metadata lists them: an API token by `client_credentials`, a token of a platform by the others, a session or an API token by `token-exchange`',
      client_id: 'Any text with an API token; otherwise the trust as `<trust>@<machine>`',
      client_secret: 'API token, for `client_credentials` without `Authorization: Basic`',
      scope:
        'Roles of the new token, separated by spaces; by default all that the credential has and the service may get',
      resource:
        'Audience of another service, as `Settings:Resources` has it; absent for a session (RFC 8707). Once: one token is for one service',
      audience: 'The trust as `<trust>@<machine>`, for an exchange without `client_id`',
      subject_token: 'Token of the platform, session token or API token, for an exchange',
      subject_token_type:
        '`urn:ietf:params:oauth:token-type:jwt` or `urn:ietf:params:oauth:token-type:id_token` of a platform, `urn:ietf:params:oauth:token-type:access_token` of this API',
      requested_token_type: '`urn:ietf:params:oauth:token-type:access_token`, or absent',
      actor_token: 'Not supported',
      assertion: 'Token of the platform, for `jwt-bearer`',
    },
  },
  response: {
    name: 'IssuedToken',
    fields: {
      access_token: 'Session token, or the token for the resource. Send it as `Authorization: Bearer`',
      issued_token_type: 'Type of the token; only for an exchange',
      token_type: '`Bearer`',
      expires_in: 'Lifetime of the token in seconds',
      scope: 'Roles of the token, separated by spaces; absent without one',
      requestID: 'ID of the request in the logs of the service',
    },
  },
} as const satisfies Texts;
