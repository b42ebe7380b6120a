import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { ACTIVITY } from '../contract/needs.ts';
import type { Texts } from '../texts.ts';
import { TOKEN_TYPES } from './grant-types.ts';

const text = () => z.optional(z.string());

/** RFC 6749, 7523, 8693. */
export const contract = {
  id: 'oauth.token',
  summary: 'Exchange a token for a session',
  method: 'POST',
  path: '/api/core/oauth/token',
  access: 'public',
  errors: 'oauth',
  needs: [
    'table:GetItem:ACCOUNT',
    'table:GetItem:TOKEN',
    'table:BatchGetItem:ACCOUNT',
    'table:BatchGetItem:TOKEN',
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
  ],
  audit: { target: 'account', details: ['session'] },
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
      resource: text(),
      audience: text(),
      subject_token: text(),
      subject_token_type: text(),
      requested_token_type: text(),
      actor_token: text(),
      assertion: text(),
    }),
  bodyKind: 'form',
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
    'Exchanges a token for a session token, as OAuth 2.0 clients do it (RFC 6749): an API token (`client_credentials`, any client id), or the token that a platform gives its job (`token-exchange` of RFC 8693, `jwt-bearer` of RFC 7523).',
    'A job names its trust as `<trust>@<machine>`: in `client_id`, or for an exchange in `audience`.',
    '`scope` narrows the session to some roles. There are no refresh tokens: a job asks for the next session by its next token.',
    'Answers and refusals have the form of RFC 6749, without the envelope. A token that is not accepted gets the same answer for each cause; the audit log, and `trust try` of the operators, have it.',
  ],
  body: {
    name: 'TokenRequest',
    fields: {
      grant_type:
        'Grant, as `grant_types_supported` of the metadata lists them: an API token by `client_credentials`, a token of a platform by the others',
      client_id: 'Any text with an API token; otherwise the trust as `<trust>@<machine>`',
      client_secret: 'API token, for `client_credentials` without `Authorization: Basic`',
      scope: 'Roles of the session, separated by spaces; by default all that the token or trust has',
      resource: 'This API, or absent (RFC 8707)',
      audience: 'The trust as `<trust>@<machine>`, for an exchange without `client_id`',
      subject_token: 'Token of the platform, for an exchange',
      subject_token_type:
        '`urn:ietf:params:oauth:token-type:jwt` or `urn:ietf:params:oauth:token-type:id_token`',
      requested_token_type: '`urn:ietf:params:oauth:token-type:access_token`, or absent',
      actor_token: 'Not supported',
      assertion: 'Token of the platform, for `jwt-bearer`',
    },
  },
  response: {
    name: 'IssuedToken',
    fields: {
      access_token: 'Session token. Send it as `Authorization: Bearer`',
      issued_token_type: 'Type of the token; only for an exchange',
      token_type: '`Bearer`',
      expires_in: 'Lifetime of the session token in seconds',
      scope: 'Roles that count for the session, separated by spaces; absent without one',
      requestID: 'ID of the request in the logs of the service',
    },
  },
} as const satisfies Texts;
