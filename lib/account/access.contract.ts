import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import type { Texts } from '../texts.ts';
import { username } from './identifiers.ts';
import { accessNamesTexts, membershipChange } from './memberships.ts';

export const contract = {
  id: 'account.access',
  summary: 'Add and remove roles, teams and applications',
  method: 'POST',
  path: '/api/core/account/access/{username}',
  access: { role: 'sys_administrator' },
  stepUp: { with: ['add.roles', { list: 'remove.roles', value: 'sys_administrator' }] },
  accounts: ['username'],
  needs: [
    'table:BatchGetItem:TEAMS',
    'index:GSI1:ACCOUNTS',
    'transaction:UpdateItem:ACCOUNT:memberships',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
  ],
  audit: {
    target: 'account',
    details: ['roles_added', 'roles_removed', 'teams_added', 'teams_removed', 'apps_added', 'apps_removed'],
  },
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

export const texts = {
  description: [
    'Adds and removes roles, teams and applications, all or none of them, and returns what has changed.',
    'Unknown roles and applications are new names, except roles that begin with `sys_`, which are those of the service; teams must exist. Any role can be removed.',
    'If the default team or application is removed, the first one left replaces it.',
    'An account keeps at least one application, and the service one active, unlocked administrator.',
    'A cancelled account can only lose memberships.',
  ],
  body: {
    name: 'AccessChange',
    parts: [accessNamesTexts],
    fields: {
      add: 'Memberships to add',
      remove: 'Memberships to remove',
    },
  },
  response: {
    name: 'ChangedAccess',
    fields: {
      roles_added: 'Roles that the account gained',
      roles_removed: 'Roles that the account lost',
      teams_added: 'IDs of the teams that the account joined',
      teams_removed: 'IDs of the teams that the account left',
      apps_added: 'Applications that the account gained',
      apps_removed: 'Applications that the account lost',
    },
  },
} as const satisfies Texts;
