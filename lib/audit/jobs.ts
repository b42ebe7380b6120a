import type { Job } from '../contract/contract.ts';
import { HASHING } from '../contract/needs.ts';

export const collectAudit = {
  id: 'audit.collect',
  summary: 'Copy the audit lines of all functions to the audit log and the table',
  trigger: 'audit-lines',
  needs: [
    'audit:write',
    'table:BatchGetItem:AUDIT',
    'table:BatchWriteItem:AUDIT',
    'table:BatchWriteItem:ACTS',
    'table:UpdateItem:AUDIT:fold',
    ...HASHING,
    'table:BatchGetItem:ERASED',
  ],
} as const satisfies Job;
