import type { Job } from '../contract/contract.ts';
import { PUBLISHING } from '../contract/needs.ts';

export const announceExpiring = {
  id: 'token.announce-expiring',
  summary: 'Publish that API tokens expire soon',
  trigger: { everyMinutes: 60 },
  needs: [
    'table:Query:EXPIRING',
    'table:BatchGetItem:NAMES',
    'table:BatchGetItem:ACCOUNT',
    'transaction:ConditionCheckItem:NAMES',
    'transaction:ConditionCheckItem:ACCOUNT:context',
    'transaction:DeleteItem:EXPIRING',
    'table:DeleteItem:EXPIRING',
    'transaction:UpdateItem:OUTBOX:token_expiring',
    ...PUBLISHING,
  ],
} as const satisfies Job;
