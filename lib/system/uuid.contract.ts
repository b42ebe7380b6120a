import * as z from 'zod/mini';
import { accountCacheMs } from '../auth/account-cache.ts';
import type { Contract } from '../contract/contract.ts';
import type { Texts } from '../texts.ts';

export const contract = {
  id: 'system.uuid',
  summary: 'Generate a UUID',
  method: 'GET',
  path: '/api/core/system/uuid',
  access: 'authenticated',
  needs: [],
  accountCacheMs,
  headers: { 'cache-control': 'no-store' },
  response: () => z.uuid(),
} as const satisfies Contract;

export const texts = {
  description: [
    'Generates one UUID version 7 with the time in its last group, so that `uniqueidentifier` columns of SQL Server sort by creation.',
    'The order is specific to SQL Server.',
  ],
} as const satisfies Texts;
