import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import type { Texts } from '../texts.ts';

export const contract = {
  id: 'account.logout',
  summary: 'Log out everywhere',
  method: 'GET',
  path: '/api/core/account/logout',
  access: 'authenticated',
  unsafe: true,
  needs: [
    'table:UpdateItem:ACCOUNT:logout',
    'table:Query:SESSION',
    'table:Query:KEYS',
    'transaction:UpdateItem:ACCOUNT:logout',
    'transaction:ConditionCheckItem:CODE:open',
  ],
  audit: { target: 'account' },
  title: 'Logout',
  response: () => z.strictObject({ username: z.string() }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Ends every session of your account immediately, including sessions of other programs, and clears the cookie.',
    'API tokens stay valid.',
    'A session or token with limits is refused (403) while a session with wider ones, or a one-time code, is open: end its own by `sessions/end`.',
  ],
  tag: 'Sessions',
  response: {
    name: 'EndedSessions',
    fields: { username: 'Account whose sessions ended' },
  },
  headers: ['set-cookie'],
} as const satisfies Texts;
