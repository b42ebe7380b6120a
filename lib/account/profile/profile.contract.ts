import * as z from 'zod/mini';
import type { Contract } from '../../contract/contract.ts';
import type { Texts } from '../../texts.ts';
import { username } from '../identifiers.ts';
import { PROFILE_PARTS, profileSchema, profileTexts, pscope } from './schema.ts';

export const contract = {
  id: 'account.profile',
  summary: 'Read a profile',
  method: 'GET',
  path: '/api/core/account/profile/{username?}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: ['table:GetItem:ACCOUNT', 'table:GetItem:CODE', 'table:Query:ATTEMPTS'],
  title: 'Profile',
  params: () => z.object({ username: z.optional(username()) }),
  query: () => z.strictObject({ pscope: z.optional(pscope()) }),
  requestHeaders: () => z.object({ 'if-none-match': z.optional(z.string()) }),
  response: profileSchema,
} as const satisfies Contract;

export const texts = {
  description: [
    'Returns your own profile: the user, teams, roles and applications.',
    '`pscope` selects parts.',
    'Administrators may name another account, and see whether an account has a one-time code that works, and whether failed logins lock it out.',
  ],
  query: {
    pscope: {
      description:
        'Parts of the profile, separated by commas; all by default. `user` alone returns only the user; any other selection also contains `instance` and `user`',
      schema: { type: 'array', minItems: 1, items: { type: 'string', enum: PROFILE_PARTS } },
    },
  },
  response: profileTexts,
  headers: ['etag'],
} as const satisfies Texts;
