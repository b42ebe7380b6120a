import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import type { Texts } from '../texts.ts';
import { passkeySchema, passkeyTexts } from './passkey.ts';

export const contract = {
  id: 'account.passkeys',
  summary: 'List passkeys',
  method: 'GET',
  path: '/api/core/account/passkeys/{username?}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: ['table:BatchGetItem:PASSKEY'],
  title: 'Passkey List',
  params: () => z.object({ username: z.optional(username()) }),
  response: () => z.strictObject({ items: z.array(passkeySchema()) }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Lists the passkeys of your own account, oldest first; administrators may name another account.',
  ],
  tag: 'Passkeys',
  response: {
    name: 'PasskeyList',
    parts: [passkeyTexts],
    fields: { items: 'Passkeys of the account, oldest first' },
  },
} as const satisfies Texts;
