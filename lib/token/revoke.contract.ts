import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING, TOKEN_DELETION } from '../contract/needs.ts';
import type { Texts } from '../texts.ts';

export const contract = {
  id: 'token.revoke',
  summary: 'Delete all tokens of an account',
  method: 'POST',
  path: '/api/core/token/revoke/{username}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: [
    ...TOKEN_DELETION,
    'table:Query:ACCOUNT',
    'table:Query:NAMES',
    'transaction:UpdateItem:OUTBOX:token_delete',
    ...PUBLISHING,
  ],
  title: 'Tokens Revoked',
  repeatable: true,
  params: () => z.object({ username: username() }),
  response: () => z.strictObject({ username: z.string(), revoked: z.int().check(z.nonnegative()) }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Deletes all tokens of your own account; administrators may name another account, also a cancelled one.',
    'The next request with one of them is refused.',
    'If it fails midway, repeat it: it deletes the remaining tokens.',
    'The token of the request is deleted last.',
  ],
  response: {
    name: 'RevokedTokens',
    fields: {
      username: 'Owner of the tokens',
      revoked: 'Number of tokens that were deleted',
    },
  },
} as const satisfies Texts;
