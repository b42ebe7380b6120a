import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { booleanText } from '../input/parse.ts';
import { instanceTexts } from '../instance/info.ts';
import type { Texts } from '../texts.ts';

export const contract = {
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

export const texts = {
  description: [
    'Returns information about the instance and the caller.',
    'Obsolete: a future version removes this endpoint.',
    'Read the profile instead.',
  ],
  query: {
    setup: {
      description: 'Whether the response also contains the settings of the instance',
      schema: { type: 'boolean', default: false },
    },
  },
  response: {
    name: 'SystemInformation',
    parts: [instanceTexts],
    fields: {
      'kv.v.api.token': 'Always empty: the service never echoes credentials',
      'kv.v.owner.language': 'Language of the owner of the instance (RFC 5646)',
      'kv.v.user.app_name': 'Your application context',
      'kv.v.user.currency': 'Your currency (ISO 4217)',
      'kv.v.user.teamid': 'Your default team; empty if there is none',
      'kv.v.user.userid': 'ID of your account',
      'kv.v.user.username': 'Your username',
      'kv.v.user.apps': 'Applications that you may use',
      'kv.v.setup.instance': 'Name of the instance',
      'kv.v.setup.jwt_expire_hours': 'Lifetime of a session token in hours',
      'kv.v.setup.bcrypt_cost': 'Cost of password hashes',
      'kv.v.setup.allow_query_token': 'Whether `ptoken` in the query is accepted',
      'kv.v.setup.cors_allowed_origins': 'Origins whose pages may call the API',
    },
  },
} as const satisfies Texts;
