import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';

export const contract = {
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
