import * as z from 'zod/mini';
import { unlikeCredential } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING, REPEATING, TOKEN_CREATION } from '../contract/needs.ts';
import { idempotencyKey } from '../idempotency/key.ts';
import type { Texts } from '../texts.ts';
import { createdTokenSchema, createdTokenTexts, tokenName } from './record.ts';
import { termsTexts, tokenTerms } from './terms.ts';

export const contract = {
  id: 'token.create-own',
  summary: 'Create a token of your own',
  method: 'POST',
  path: '/api/core/token/own/{token_name}',
  access: { role: 'sys_tokens' },
  stepUp: 'always',
  needs: [
    ...REPEATING,
    'transaction:UpdateItem:ACCOUNT:token_create',
    ...TOKEN_CREATION,
    'transaction:UpdateItem:OUTBOX:token_create',
    ...PUBLISHING,
  ],
  audit: { target: 'token' },
  title: 'Token Created',
  failures: ['account_cancelled', 'idempotency_key_reused', 'token_deleted', 'token_exists', 'token_limit'],
  params: () => z.object({ token_name: tokenName().check(unlikeCredential()) }),
  requestHeaders: idempotencyKey,
  body: tokenTerms,
  bodyKind: 'json-or-none',
  response: createdTokenSchema,
} as const satisfies Contract;

export const texts = {
  description: [
    'Creates a token for your own account, as `token.create` does for any account.',
    'The response contains the secret in `value`, only this once.',
  ],
  body: termsTexts,
  response: createdTokenTexts,
} as const satisfies Texts;
