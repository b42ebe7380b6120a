import * as z from 'zod/mini';
import { accountCacheMs } from '../auth/account-cache.ts';
import type { Contract } from '../contract/contract.ts';
import type { Texts } from '../texts.ts';

export const contract = {
  id: 'system.ping',
  summary: 'Test the connection',
  method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  path: '/api/core/system/ping',
  access: 'authenticated',
  needs: [],
  repeatable: true,
  accountCacheMs,
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

export const texts = {
  description: [
    'Echoes the method, all query parameters and the body, without the credential.',
    'A form is returned as JSON.',
  ],
  response: {
    name: 'Ping',
    fields: {
      ping: 'Always `pong`',
      method: 'Method of the request',
      query: 'Query parameters, without the credential',
      body: 'Received body: JSON of any kind, a form as an object (repeated fields as arrays), or null',
      username: 'Account that sent the request',
    },
  },
} as const satisfies Texts;
