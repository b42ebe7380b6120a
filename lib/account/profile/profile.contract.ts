import * as z from 'zod/mini';
import type { Contract } from '../../contract/contract.ts';
import { username } from '../identifiers.ts';
import { profileSchema, pscope } from './schema.ts';

export const contract = {
  id: 'account.profile',
  summary: 'Read a profile',
  method: 'GET',
  path: '/api/core/account/profile/{username?}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: ['table:GetItem:ACCOUNT'],
  title: 'Profile',
  params: () => z.object({ username: z.optional(username()) }),
  query: () => z.strictObject({ pscope: z.optional(pscope()) }),
  requestHeaders: () => z.object({ 'if-none-match': z.optional(z.string()) }),
  response: profileSchema,
} as const satisfies Contract;
