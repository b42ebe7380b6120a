import type { Contract } from '../contract/contract.ts';
import type { Texts } from '../texts.ts';
import { tokenListSchema, tokenListTexts } from './record.ts';

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

export const texts = {
  description: ['Lists your own tokens by name.', 'Secrets are null.'],
  response: tokenListTexts,
} as const satisfies Texts;
