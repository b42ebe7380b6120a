import * as z from 'zod/mini';
import type { Contract } from '../../contract/contract.ts';
import type { Texts } from '../../texts.ts';
import { roleOrAppName, username } from '../identifiers.ts';

export const contract = {
  id: 'account.context',
  summary: 'Switch the application context',
  method: 'POST',
  path: '/api/core/account/context/{app_name}/{username?}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: [
    'table:UpdateItem:ACCOUNT:context',
    'transaction:UpdateItem:ACCOUNT:context',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
  ],
  audit: { target: 'account', details: ['user_app_name'] },
  title: 'Application Context',
  failures: ['account_cancelled', 'app_not_found'],
  params: () => z.object({ app_name: roleOrAppName(), username: z.optional(username()) }),
  response: () => z.strictObject({ username: z.string(), user_app_name: z.string() }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Sets the application context of your own account; administrators may name another account.',
    'The application must be one of the account’s `apps`.',
  ],
  params: {
    app_name: {
      description: 'Application that the account may use',
      example: 'planning',
    },
  },
  response: {
    name: 'ApplicationContext',
    fields: { user_app_name: 'New application context' },
  },
} as const satisfies Texts;
