import * as z from 'zod/mini';
import { accountCacheMs } from '../auth/account-cache.ts';
import type { Contract } from '../contract/contract.ts';
import type { Texts } from '../texts.ts';

const COUNT = 'Must be a whole number from 0 to 10000';

export const contract = {
  id: 'system.uuids',
  summary: 'Generate UUIDs',
  method: 'GET',
  path: '/api/core/system/uuids',
  access: 'authenticated',
  needs: [],
  accountCacheMs,
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

export const texts = {
  description: 'Generates UUIDs for SQL Server, in the order of their creation.',
  query: {
    n: {
      description: 'Number of UUIDs to generate',
      example: 3,
      schema: { type: 'integer', minimum: 0, maximum: 10_000 },
    },
  },
} as const satisfies Texts;
