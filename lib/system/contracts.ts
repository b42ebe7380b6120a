import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { booleanText } from '../parse.ts';
import { JWKS_CACHE_CONTROL } from '../session/lead.ts';

const COUNT = 'Must be a whole number from 0 to 10000';

export const info = {
  id: 'system.info',
  summary: 'Read system information (obsolete)',
  method: 'GET',
  path: '/api/core/system',
  access: 'authenticated',
  needs: [],
  headers: {
    // 2026-01-01T00:00:00Z in the notation of RFC 9745.
    deprecation: '@1767225600',
    link: '</api/core/account/profile>; rel="successor-version"',
    'cache-control': 'no-store',
  },
  query: () => z.strictObject({ setup: z.optional(booleanText()) }),
  response: () =>
    z.strictObject({
      'kv.v.api.token': z.literal(''),
      'kv.v.api.url': z.string(),
      'kv.v.api.version': z.string(),
      'kv.v.owner.language': z.string(),
      'kv.v.owner.name': z.string(),
      'kv.v.user.app_name': z.string(),
      'kv.v.user.currency': z.string(),
      'kv.v.user.teamid': z.string(),
      'kv.v.user.userid': z.uuid(),
      'kv.v.user.username': z.string(),
      'kv.v.user.apps': z.array(z.string()),
      'kv.v.setup.instance': z.optional(z.string()),
      'kv.v.setup.jwt_expire_hours': z.optional(z.number()),
      'kv.v.setup.bcrypt_cost': z.optional(z.int()),
      'kv.v.setup.allow_query_token': z.optional(z.boolean()),
      'kv.v.setup.cors_allowed_origins': z.optional(z.array(z.string())),
    }),
} as const satisfies Contract;

export const preview = {
  id: 'system.preview',
  summary: 'Preview Markdown',
  method: 'POST',
  path: '/api/core/system/preview',
  access: 'authenticated',
  needs: [],
  repeatable: true,
  answersDuringOutage: true,
  // 1 MiB as a literal: esbuild keeps a contract with an expression in every bundle that imports this file.
  maxBodyBytes: 1_048_576,
  // The most expensive text takes almost a second of a full CPU: this rate keeps fewer than ten of them busy.
  throttle: { rate: 10, burst: 20 },
  reserved: 20,
  produces: ['text/html', 'application/json'],
  failures: ['too_complex'],
  memory: 1769,
  headers: {
    'cache-control': 'no-store',
    'content-security-policy': "sandbox; default-src 'none'; img-src http: https: data:",
    vary: 'Accept',
    'x-content-type-options': 'nosniff',
  },
  body: () =>
    z.strictObject({
      painput: z.string(),
      patype: z.optional(z.literal('markdown', 'Must be markdown')),
    }),
  response: () => z.union([z.string(), z.strictObject({ html: z.string() })]),
} as const satisfies Contract;

export const uuid = {
  id: 'system.uuid',
  summary: 'Generate a UUID',
  method: 'GET',
  path: '/api/core/system/uuid',
  access: 'authenticated',
  needs: [],
  answersDuringOutage: true,
  headers: { 'cache-control': 'no-store' },
  response: () => z.uuid(),
} as const satisfies Contract;

export const uuids = {
  id: 'system.uuids',
  summary: 'Generate UUIDs',
  method: 'GET',
  path: '/api/core/system/uuids',
  access: 'authenticated',
  needs: [],
  answersDuringOutage: true,
  headers: { 'cache-control': 'no-store' },
  query: () =>
    z.strictObject({
      n: z.pipe(
        z.string(COUNT).check(z.refine((n) => /^[0-9]{1,5}$/.test(n) && Number(n) <= 10_000, COUNT)),
        z.transform(Number),
      ),
    }),
  response: () => z.array(z.uuid()),
} as const satisfies Contract;

export const ping = {
  id: 'system.ping',
  summary: 'Test the connection',
  method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  path: '/api/core/system/ping',
  access: 'authenticated',
  needs: [],
  repeatable: true,
  answersDuringOutage: true,
  headers: { 'cache-control': 'no-store' },
  // Any query is echoed.
  query: () => z.looseObject({}),
  bodyKind: 'json-or-form-or-none',
  body: () => z.unknown(),
  response: () =>
    z.strictObject({
      ping: z.literal('pong'),
      method: z.string(),
      query: z.record(z.string(), z.string()),
      body: z.unknown(),
      username: z.string(),
      executed_at: z.string(),
    }),
} as const satisfies Contract;

export const jwks = {
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
