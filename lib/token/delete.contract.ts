import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING, TOKEN_DELETION } from '../contract/needs.ts';
import type { Texts } from '../texts.ts';
import { tokenName } from './record.ts';

export const contract = {
  id: 'token.delete',
  summary: 'Delete a token',
  method: 'POST',
  path: '/api/core/token/delete/{token_name}/{username}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: [...TOKEN_DELETION, 'transaction:UpdateItem:OUTBOX:token_delete', ...PUBLISHING],
  audit: { target: 'token' },
  title: 'Token Deleted',
  failures: ['token_not_found'],
  params: () => z.object({ token_name: tokenName(), username: username() }),
  response: () => z.strictObject({ username: z.string(), name: z.string() }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Deletes a token of your own account; administrators may name another account.',
    'The next request with the token, or with a session that it opened, is refused.',
  ],
  response: {
    name: 'DeletedToken',
    fields: {
      username: 'Owner of the token',
      name: 'Name of the token, unique within its account',
    },
  },
} as const satisfies Texts;
