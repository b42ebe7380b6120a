import * as z from 'zod/mini';
import type { Contract } from '../../contract/contract.ts';
import { profileUpdateSchema, userSchema } from './schema.ts';

export const contract = {
  id: 'account.profile-update',
  summary: 'Update a profile',
  method: 'POST',
  path: '/api/core/account/profile-update',
  access: { role: 'sys_administrator', orSelf: 'body' },
  needs: [
    'table:GetItem:ACCOUNT',
    'table:UpdateItem:ACCOUNT:profile',
    'transaction:UpdateItem:ACCOUNT:profile',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
  ],
  title: 'Profile Updated',
  failures: ['account_not_found', 'precondition_failed', 'team_not_member'],
  requestHeaders: () => z.object({ 'if-match': z.optional(z.string()) }),
  body: profileUpdateSchema,
  response: () => z.strictObject({ user: userSchema() }),
} as const satisfies Contract;
