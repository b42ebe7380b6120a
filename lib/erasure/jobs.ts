import type { Job } from '../contract/contract.ts';
import { OWN_ITEMS, PUBLISHING } from '../contract/needs.ts';

export const completeErasures = {
  // Not of the noun of an endpoint: no caller can start it.
  id: 'account.complete-erasures',
  summary: 'Remove what erasures have left, and hide the names in what belongs to others',
  trigger: { everyMinutes: 5 },
  needs: [
    'names:scan',
    'table:Query:ERASING',
    'table:Query:OUTBOX',
    'table:UpdateItem:ERASING:pass',
    'table:DeleteItem:ERASING',
    ...OWN_ITEMS,
    'table:DeleteItem:REVOKED',
    'table:DeleteItem:ACTS',
    'table:DeleteItem:EXPORTS',
    'table:UpdateItem:ACCOUNT:pseudonym',
    'table:UpdateItem:AUDIT:pseudonym',
    'table:UpdateItem:CODE:pseudonym',
    'table:UpdateItem:TRUST:pseudonym',
    'table:UpdateItem:ERASED:pseudonym',
    'table:UpdateItem:REVOKED:pseudonym',
    'table:UpdateItem:TOKEN:pseudonym',
    ...PUBLISHING,
  ],
} as const satisfies Job;
