import type { Job } from '../contract/contract.ts';
import { PUBLISHING, TOKEN_REMOVAL } from '../contract/needs.ts';

export const announceExpiring = {
  id: 'token.announce-expiring',
  summary: 'Publish that API tokens expire soon',
  trigger: { everyMinutes: 60 },
  needs: [
    'table:Query:EXPIRING',
    'table:BatchGetItem:NAMES',
    'table:BatchGetItem:ACCOUNT',
    'transaction:ConditionCheckItem:NAMES',
    'transaction:UpdateItem:ACCOUNT:expiring',
    'transaction:UpdateItem:EXPIRING:announced',
    'table:DeleteItem:EXPIRING',
    'transaction:UpdateItem:OUTBOX:token_expiring',
    ...PUBLISHING,
  ],
} as const satisfies Job;

export const removeRevokedTokens = {
  id: 'token.remove-revoked',
  summary: 'Remove the items of revoked API tokens that their own request could not remove',
  trigger: { everyMinutes: 5 },
  needs: [
    'table:Query:REVOKED',
    'table:GetItem:ACCOUNT',
    ...TOKEN_REMOVAL,
    'transaction:UpdateItem:ACCOUNT:removal',
    'transaction:UpdateItem:OUTBOX:token_delete',
    ...PUBLISHING,
  ],
} as const satisfies Job;
