import * as z from 'zod/mini';
import type { Contract } from '../../contract/contract.ts';
import { PUBLISHING } from '../../contract/needs.ts';

import type { Texts } from '../../texts.ts';
import { username } from '../identifiers.ts';
import { changedAccountTexts, changedItemSchema } from './changed.ts';

export const contract = {
  id: 'account.unlock',
  summary: 'Unlock an account',
  method: 'POST',
  path: '/api/core/account/unlock/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    'table:UpdateItem:ACCOUNT:unlock',
    'transaction:UpdateItem:ACCOUNT:unlock',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'transaction:UpdateItem:STATS:counter',
    'transaction:UpdateItem:SLICE:until',
    'transaction:UpdateItem:OUTBOX:user_unlock',
    ...PUBLISHING,
  ],
  audit: { target: 'account' },
  title: 'Account Unlocked',
  repeatable: true,
  params: () => z.object({ username: username() }),
  response: changedItemSchema,
} as const satisfies Contract;

export const texts = {
  description: [
    'Allows the account to authenticate again and clears its failed logins.',
    'Its API tokens work again; its sessions stay ended.',
  ],
  response: changedAccountTexts,
} as const satisfies Texts;
