import * as z from 'zod/mini';
import type { Contract } from '../../contract/contract.ts';
import { PUBLISHING } from '../../contract/needs.ts';
import type { Texts } from '../../texts.ts';
import { username } from '../identifiers.ts';
import { changedAccountTexts, changedItemSchema } from './changed.ts';

export const contract = {
  id: 'account.cancel',
  summary: 'Cancel an account',
  method: 'POST',
  path: '/api/core/account/cancel/{username}',
  access: { role: 'sys_administrator' },
  stepUp: 'always',
  accounts: ['username'],
  needs: [
    'transaction:UpdateItem:ACCOUNT:cancel',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'transaction:UpdateItem:CANCELLED',
    'transaction:UpdateItem:OUTBOX:user_cancel',
    ...PUBLISHING,
  ],
  audit: { target: 'account' },
  title: 'Account Cancelled',
  repeatable: true,
  failures: ['self_target'],
  params: () => z.object({ username: username() }),
  response: changedItemSchema,
} as const satisfies Contract;

export const texts = {
  description: [
    'Deactivates the account, refuses all of its credentials, and ends the one-time codes that it has made.',
    'Publishes the event `user_cancel` at least once, so that other systems can delete their data.',
    'Repeating the request changes nothing and returns `changed: false`.',
  ],
  response: changedAccountTexts,
} as const satisfies Texts;
