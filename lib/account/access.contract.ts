import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { username } from './identifiers.ts';
import { membershipChange } from './memberships.ts';

export const contract = {
  id: 'account.access',
  summary: 'Add and remove roles, teams and applications',
  method: 'POST',
  path: '/api/core/account/access/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: [
    'table:BatchGetItem:TEAMS',
    'index:GSI1:ACCOUNTS',
    'transaction:UpdateItem:ACCOUNT:memberships',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
  ],
  title: 'Access Changed',
  failures: [
    'account_cancelled',
    'app_limit',
    'last_administrator',
    'role_limit',
    'team_limit',
    'team_not_found',
  ],
  params: () => z.object({ username: username() }),
  body: membershipChange,
  response: () =>
    z.strictObject({
      username: z.string(),
      roles_added: z.array(z.string()),
      roles_removed: z.array(z.string()),
      teams_added: z.array(z.uuid()),
      teams_removed: z.array(z.uuid()),
      apps_added: z.array(z.string()),
      apps_removed: z.array(z.string()),
    }),
} as const satisfies Contract;
