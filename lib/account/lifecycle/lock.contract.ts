import * as z from 'zod/mini';
import type { Contract } from '../../contract/contract.ts';
import { PUBLISHING } from '../../contract/needs.ts';
import { username } from '../identifiers.ts';
import { lockTerms } from '../lock-terms.ts';
import { changedItemSchema } from './changed.ts';

export const contract = {
  id: 'account.lock',
  summary: 'Lock an account',
  method: 'POST',
  path: '/api/core/account/lock/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    'table:GetItem:SLICE',
    'transaction:UpdateItem:ACCOUNT:lock',
    'transaction:DeleteItem:CODE',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'transaction:UpdateItem:STATS:counter',
    'transaction:UpdateItem:SLICE:until',
    PUBLISHING,
  ],
  title: 'Account Locked',
  repeatable: true,
  failures: ['self_target'],
  params: () => z.object({ username: username() }),
  body: lockTerms,
  bodyKind: 'json-or-none',
  response: changedItemSchema,
} as const satisfies Contract;
