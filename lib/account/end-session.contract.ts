import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { username } from './identifiers.ts';

export const contract = {
  id: 'account.end-session',
  summary: 'End a session',
  method: 'POST',
  path: '/api/core/account/sessions/end/{session_id}/{username?}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: [
    'table:GetItem:SESSION',
    'table:Query:KEYS',
    'transaction:UpdateItem:ACCOUNT:ended',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
  ],
  title: 'Session Ended',
  failures: ['session_not_found'],
  params: () => z.object({ session_id: z.uuid().check(z.toLowerCase()), username: z.optional(username()) }),
  response: () => z.strictObject({ username: z.string(), id: z.uuid() }),
} as const satisfies Contract;
