import type { Contract } from '../contract/contract.ts';
import { tokenListSchema } from './record.ts';

export const contract = {
  id: 'token.list-own',
  summary: 'List your own tokens',
  method: 'GET',
  path: '/api/core/token/user',
  access: 'authenticated',
  needs: ['table:Query:ACCOUNT', 'table:Query:NAMES', 'index:GSI1:TOKENS'],
  title: 'Token List',
  response: tokenListSchema,
} as const satisfies Contract;
