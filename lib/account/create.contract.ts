import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING, REPEATING } from '../contract/needs.ts';
import { idempotencyKey } from '../idempotency/key.ts';
import { wholeNumber } from '../item/fields.ts';
import { directoryItemSchema } from './directory/item.ts';
import { MAX_CODE_HOURS } from './limits.ts';
import { newAccount } from './new-account.ts';

export const contract = {
  id: 'account.create',
  summary: 'Create an account',
  method: 'POST',
  path: '/api/core/account/create',
  access: { role: 'sys_administrator' },
  creates: 'account',
  needs: [
    REPEATING,
    'table:BatchGetItem:TEAMS',
    'transaction:PutItem:ACCOUNT:create',
    'transaction:UpdateItem:ACCOUNT:properties',
    'transaction:PutItem:CODE',
    'transaction:UpdateItem:STATS:counter',
    'transaction:ConditionCheckItem:ACCOUNT:session-guard',
    'transaction:ConditionCheckItem:TOKEN:end',
    PUBLISHING,
  ],
  title: 'Account Created',
  failures: ['account_exists', 'idempotency_key_reused', 'team_not_found'],
  requestHeaders: idempotencyKey,
  body: () => z.extend(newAccount(), { invite_hours: z.optional(wholeNumber(1, MAX_CODE_HOURS)) }),
  response: () =>
    z.extend(directoryItemSchema(), {
      code: z.optional(z.string()),
      code_expires_at: z.optional(z.string()),
    }),
} as const satisfies Contract;
