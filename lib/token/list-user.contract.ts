import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import type { Texts } from '../texts.ts';
import { tokenListSchema, tokenListTexts } from './record.ts';

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

export const texts = {
  description: ['Lists the tokens of an account by name.', 'Secrets are null.'],
  response: tokenListTexts,
} as const satisfies Texts;
