import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { page, pageQueryById } from '../contract/paging.ts';
import type { Texts } from '../texts.ts';
import { username } from './identifiers.ts';
import { openSessionTexts, sessionSchema } from './sessions.ts';

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

export const texts = {
  description: [
    'Lists the open sessions of your own account, newest first; administrators may name another account.',
    'A page reads at most 1 MB and may be short or empty before the last; pass `data.next_cursor` as `cursor` to get the next page.',
  ],
  tag: 'Sessions',
  response: {
    name: 'SessionPage',
    parts: [openSessionTexts],
    fields: { items: 'Open sessions of this page, newest first' },
  },
} as const satisfies Texts;
