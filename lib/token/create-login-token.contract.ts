import type { Contract } from '../contract/contract.ts';
import { PUBLISHING, TOKEN_CREATION } from '../contract/needs.ts';
import type { Texts } from '../texts.ts';
import { createdTokenSchema, createdTokenTexts, LOGIN_TOKEN } from './record.ts';
import { termsTexts, tokenTerms } from './terms.ts';

export const contract = {
  id: 'token.create-login-token',
  summary: 'Create your login token',
  method: 'POST',
  path: '/api/core/token/create/logintoken',
  access: { role: 'sys_tokens' },
  stepUp: 'always',
  tokenName: LOGIN_TOKEN,
  needs: [
    'table:GetItem:NAMES',
    'table:BatchGetItem:NAMES',
    'table:BatchGetItem:ACCOUNT',
    'transaction:UpdateItem:ACCOUNT:token_create',
    'transaction:UpdateItem:ACCOUNT:former-name',
    'transaction:UpdateItem:TOKEN:end',
    'transaction:UpdateItem:ENDED',
    'table:DeleteItem:TOKEN',
    ...TOKEN_CREATION,
    'transaction:UpdateItem:OUTBOX:token_create',
    ...PUBLISHING,
  ],
  audit: { target: 'token' },
  title: 'Token Created',
  failures: ['account_cancelled', 'token_limit', 'token_rotated'],
  body: tokenTerms,
  bodyKind: 'json-or-none',
  response: createdTokenSchema,
} as const satisfies Contract;

export const texts = {
  description: [
    'Creates a token named `logintoken` for your own account.',
    'An existing `logintoken` stops working, and the sessions that were opened with it end.',
    'The response contains the secret in `value`, only this once.',
    'During an overlap after a rotation, the former secret cannot replace the new one.',
  ],
  body: termsTexts,
  response: createdTokenTexts,
} as const satisfies Texts;
