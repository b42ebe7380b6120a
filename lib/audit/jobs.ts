import type { Job } from '../contract/contract.ts';

export const collectAudit = {
  id: 'audit.collect',
  summary: 'Copy the audit lines of all functions to the audit log',
  trigger: 'audit-lines',
  needs: ['audit:write'],
} as const satisfies Job;
