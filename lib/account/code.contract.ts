import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { wholeNumber } from '../item/fields.ts';
import { username } from './identifiers.ts';
import { MAX_CODE_HOURS } from './limits.ts';

export const contract = {
  id: 'account.code',
  summary: 'Create a one-time code',
  method: 'POST',
  path: '/api/core/account/code/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    'transaction:ConditionCheckItem:ACCOUNT:session-guard',
    'transaction:ConditionCheckItem:TOKEN:end',
    'transaction:PutItem:CODE',
  ],
  title: 'Code Created',
  failures: ['account_cancelled', 'account_locked'],
  params: () => z.object({ username: username() }),
  body: () => z.strictObject({ hours: z.optional(wholeNumber(1, MAX_CODE_HOURS)) }),
  bodyKind: 'json-or-none',
  response: () => z.strictObject({ username: z.string(), code: z.string(), expires_at: z.string() }),
} as const satisfies Contract;
