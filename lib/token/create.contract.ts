import * as z from 'zod/mini';
import { unlikeCredential, username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING, REPEATING, TOKEN_CREATION } from '../contract/needs.ts';
import { idempotencyKey } from '../idempotency/key.ts';
import type { Texts } from '../texts.ts';
import { createdTokenSchema, createdTokenTexts, tokenName } from './record.ts';
import { termsTexts, tokenTerms } from './terms.ts';

export const contract = {
  id: 'token.create',
  summary: 'Create a token',
  method: 'POST',
  path: '/api/core/token/create/{token_name}/{username}',
  access: { role: 'sys_administrator' },
  stepUp: 'always',
  accounts: ['username'],
  needs: [
    ...REPEATING,
    'transaction:UpdateItem:ACCOUNT:token_create',
    'transaction:ConditionCheckItem:ACCOUNT:session-guard',
    ...TOKEN_CREATION,
    'transaction:UpdateItem:OUTBOX:token_create',
    ...PUBLISHING,
  ],
  audit: { target: 'token' },
  title: 'Token Created',
  failures: ['account_cancelled', 'idempotency_key_reused', 'token_deleted', 'token_exists', 'token_limit'],
  params: () => z.object({ token_name: tokenName().check(unlikeCredential()), username: username() }),
  requestHeaders: idempotencyKey,
  body: tokenTerms,
  bodyKind: 'json-or-none',
  response: createdTokenSchema,
} as const satisfies Contract;

export const texts = {
  description: [
    'Creates a token for an account.',
    'The response contains the secret in `value`, only this once.',
    'The optional body limits the token: its end, access, roles and source addresses.',
    'A token inherits each limit of the credential that creates it, and cannot exceed it.',
  ],
  body: termsTexts,
  response: createdTokenTexts,
} as const satisfies Texts;
