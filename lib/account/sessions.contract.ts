import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { page, pageQueryById } from '../contract/paging.ts';
import { username } from './identifiers.ts';
import { sessionSchema } from './sessions.ts';

export const contract = {
  id: 'account.sessions',
  summary: 'List sessions',
  method: 'GET',
  path: '/api/core/account/sessions/{username?}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: ['table:Query:SESSION', 'table:Query:KEYS'],
  title: 'Session List',
  params: () => z.object({ username: z.optional(username()) }),
  query: pageQueryById,
  response: () => z.strictObject({ items: z.array(sessionSchema()), ...page() }),
} as const satisfies Contract;
