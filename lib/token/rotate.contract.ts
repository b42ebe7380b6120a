import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING, REPEATING } from '../contract/needs.ts';
import { idempotencyKey } from '../idempotency/key.ts';
import { wholeNumber } from '../item/fields.ts';
import type { Texts } from '../texts.ts';
import { MAX_OVERLAP } from './maxima.ts';
import { createdTokenSchema, createdTokenTexts, tokenName } from './record.ts';

export const contract = {
  id: 'token.rotate',
  summary: 'Replace the secret of a token',
  method: 'POST',
  path: '/api/core/token/rotate/{token_name}/{username}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  stepUp: 'always',
  accounts: ['username'],
  needs: [
    ...REPEATING,
    'table:GetItem:NAMES',
    'table:BatchGetItem:NAMES',
    'table:BatchGetItem:ACCOUNT',
    'transaction:UpdateItem:NAMES',
    'transaction:UpdateItem:TOKEN:create',
    'transaction:ConditionCheckItem:TOKEN:end',
    'transaction:ConditionCheckItem:ENDED',
    'transaction:UpdateItem:ENDED',
    'transaction:UpdateItem:EXPIRING',
    'transaction:UpdateItem:TOKEN:overlap',
    'transaction:UpdateItem:TOKEN:end',
    'table:DeleteItem:TOKEN',
    'transaction:UpdateItem:ACCOUNT:token_rotate',
    'transaction:UpdateItem:ACCOUNT:former-name',
    'transaction:ConditionCheckItem:ACCOUNT:session-guard',
    'transaction:UpdateItem:OUTBOX:token_rotate',
    ...PUBLISHING,
  ],
  audit: { target: 'token' },
  title: 'Token Rotated',
  failures: [
    'account_cancelled',
    'idempotency_key_reused',
    'token_deleted',
    'token_not_found',
    'token_rotated',
  ],
  params: () => z.object({ token_name: tokenName(), username: username() }),
  requestHeaders: idempotencyKey,
  body: () => z.strictObject({ overlap_minutes: z.optional(wholeNumber(0, MAX_OVERLAP)) }),
  bodyKind: 'json-or-none',
  response: createdTokenSchema,
} as const satisfies Contract;

export const texts = {
  description: [
    'Replaces the secret of a token of your own account; administrators may name another account, and a token with full access can rotate itself.',
    'The response contains the new secret in `value`, only this once.',
    'The former secret stops working at once, or after `overlap_minutes`, as do its sessions.',
    'Another rotation ends an overlap.',
    'The end, limits and description of the token stay.',
    'A credential cannot rotate a token with more rights or a later end than its own (403), so a former secret cannot rotate.',
    'If the response is lost, repeat the request with the same `Idempotency-Key`; a token that rotates itself needs an overlap for that.',
  ],
  body: {
    name: 'Rotation',
    fields: { overlap_minutes: 'Minutes for which the former secret stays valid; 0 by default' },
  },
  response: createdTokenTexts,
} as const satisfies Texts;
