import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { tokenListSchema } from './record.ts';

export const contract = {
  id: 'token.list-user',
  summary: 'List the tokens of an account',
  method: 'GET',
  path: '/api/core/token/user/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: ['table:Query:ACCOUNT', 'table:Query:NAMES', 'index:GSI1:TOKENS'],
  title: 'Token List',
  params: () => z.object({ username: username() }),
  response: tokenListSchema,
} as const satisfies Contract;
