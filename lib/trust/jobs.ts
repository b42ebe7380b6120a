import type { Job } from '../contract/contract.ts';

export const refreshKeys = {
  id: 'trust.refresh-keys',
  summary: 'Fetch the keys of all issuers',
  trigger: { everyMinutes: 60 },
  needs: ['table:UpdateItem:ISSUER'],
} as const satisfies Job;
