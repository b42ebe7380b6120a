import type { Job } from '../contract/contract.ts';
import { HASHING, type Need } from '../contract/needs.ts';

/** Needs of the entries in the table. */
const STORING = [
  'table:BatchGetItem:AUDIT',
  'table:BatchWriteItem:AUDIT',
  'table:BatchWriteItem:ACTS',
  'table:UpdateItem:AUDIT:fold',
  ...HASHING,
  'table:BatchGetItem:ERASED',
] as const satisfies readonly Need[];

export const collectAudit = {
  id: 'audit.collect',
  summary: 'Copy the audit lines of all functions to the audit log and the table',
  trigger: 'audit-lines',
  needs: ['audit:write', ...STORING],
} as const satisfies Job;

export const refillAudit = {
  id: 'audit.refill',
  summary: 'Add the audit lines that the log of functions has, and the audit log or the table lacks',
  trigger: 'command',
  needs: ['audit:write', 'audit:read', 'function-log:read', ...STORING],
} as const satisfies Job;
