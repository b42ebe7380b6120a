import * as z from 'zod/mini';
import { roleOrAppName, username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { CHANGE_OF_ACCOUNT } from '../contract/needs.ts';
import { profileSchema, profileUpdateSchema, pscope, userSchema } from './schema.ts';

export const profile = {
  id: 'account.profile',
  summary: 'Read a profile: your own, or as an administrator anyone’s',
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

export const profileUpdate = {
  id: 'account.profile-update',
  summary: 'Change fields of a profile: your own, or as an administrator anyone’s',
  method: 'POST',
  path: '/api/core/account/profile-update',
  access: { role: 'sys_administrator', orSelf: 'body' },
  needs: [
    'table:GetItem:ACCOUNT',
    'table:UpdateItem:ACCOUNT',
    'transaction:PutItem:ACCOUNT',
    ...CHANGE_OF_ACCOUNT,
  ],
  title: 'Profile Updated',
  failures: ['account_not_found', 'precondition_failed', 'team_not_member'],
  requestHeaders: () => z.object({ 'if-match': z.optional(z.string()) }),
  body: profileUpdateSchema,
  response: () => z.strictObject({ user: userSchema() }),
} as const satisfies Contract;

export const context = {
  id: 'account.context',
  summary: 'Switch the application context: your own, or as an administrator anyone’s',
  method: 'POST',
  path: '/api/core/account/context/{app_name}/{username?}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: ['table:UpdateItem:ACCOUNT', ...CHANGE_OF_ACCOUNT],
  title: 'Application Context',
  failures: ['account_cancelled', 'app_not_found'],
  params: () => z.object({ app_name: roleOrAppName(), username: z.optional(username()) }),
  response: () => z.strictObject({ username: z.string(), user_app_name: z.string() }),
} as const satisfies Contract;
