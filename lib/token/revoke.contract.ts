import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING, TOKEN_REMOVAL } from '../contract/needs.ts';
import type { Texts } from '../texts.ts';

export const contract = {
  id: 'token.revoke',
  summary: 'Delete all tokens of an account',
  method: 'POST',
  path: '/api/core/token/revoke/{username}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: [
    'transaction:UpdateItem:ACCOUNT:revoke',
    'transaction:UpdateItem:REVOKED',
    ...TOKEN_REMOVAL,
    'transaction:UpdateItem:ACCOUNT:removal',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'transaction:UpdateItem:OUTBOX:token_delete',
    ...PUBLISHING,
  ],
  audit: { target: 'account', details: ['revoked'] },
  title: 'Tokens Revoked',
  repeatable: true,
  params: () => z.object({ username: username() }),
  response: () => z.strictObject({ username: z.string(), revoked: z.int().check(z.nonnegative()) }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Deletes all tokens of your own account at once; administrators may name another account, also a cancelled one.',
    'The next request with one of them, or with a session that one of them opened, is refused; so is the creation of a token that one of them has requested meanwhile.',
    'Names and places of the tokens are free at once; the event `token_delete` of some may follow within minutes.',
  ],
  response: {
    name: 'RevokedTokens',
    fields: {
      username: 'Owner of the tokens',
      revoked: 'Number of tokens that were valid before',
    },
  },
} as const satisfies Texts;
