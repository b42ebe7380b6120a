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
  response: () =>
    z.strictObject({
      items: z.array(passkeySchema()),
      rp_id: z.optional(z.string()),
      user_handle: z.optional(z.string()),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Lists the passkeys of your own account, oldest first; administrators may name another account.',
    'Your own list has what devices know the passkeys by, for `PublicKeyCredential.signalAllAcceptedCredentials`: they then offer only these.',
  ],
  tag: 'Passkeys',
  response: {
    name: 'PasskeyList',
    parts: [passkeyTexts],
    fields: {
      items: 'Passkeys of the account, oldest first',
      rp_id: 'Domain of the passkeys that work; in your own list only',
      user_handle: 'Account ID as devices have it, in base64url; in your own list only',
    },
  },
} as const satisfies Texts;
