import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';

export const contract = {
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
