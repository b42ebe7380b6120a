import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import type { Texts } from '../texts.ts';

export const contract = {
  id: 'account.end-session',
  summary: 'End a session',
  method: 'POST',
  path: '/api/core/account/sessions/end/{session_id}/{username?}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  endsReaders: true,
  needs: [
    'table:GetItem:SESSION',
    'table:Query:KEYS',
    'transaction:UpdateItem:ACCOUNT:ended',
    'transaction:UpdateItem:ENDED',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
  ],
  audit: { target: 'account', details: ['session'] },
  title: 'Session Ended',
  failures: ['session_not_found'],
  params: () => z.object({ session_id: z.uuid().check(z.toLowerCase()), username: z.optional(username()) }),
  response: () => z.strictObject({ username: z.string(), id: z.uuid() }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Ends one session of your own account; administrators may name another account.',
    'The next request with the session is refused. If it is the session in the cookie of this request, the answer clears the cookie.',
    'A session with any limits may end itself.',
  ],
  tag: 'Sessions',
  params: { session_id: 'ID of the session, as listed; `jti` of its token' },
  response: {
    name: 'EndedSession',
    fields: {
      username: 'Account whose session ended',
      id: 'ID of the ended session',
    },
  },
  headers: ['set-cookie'],
} as const satisfies Texts;
