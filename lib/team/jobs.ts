import type { Job } from '../contract/contract.ts';

export const followTeams = {
  // Not of the noun of an endpoint: no caller can start it.
  id: 'account.follow-teams',
  summary: 'Change the copies of renamed and deleted teams in accounts',
  trigger: { everyMinutes: 5 },
  needs: [
    'table:Query:TEAMS',
    'table:UpdateItem:TEAMS:followed',
    'table:DeleteItem:TEAMS',
    'table:GetItem:FOLLOWING',
    'table:UpdateItem:FOLLOWING',
    'table:DeleteItem:FOLLOWING',
    'index:GSI1:ACCOUNTS',
    'table:UpdateItem:ACCOUNT:follow',
  ],
} as const satisfies Job;
