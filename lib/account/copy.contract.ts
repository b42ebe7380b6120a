import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import type { Texts } from '../texts.ts';
import { sameUsername } from './account.ts';
import { username } from './identifiers.ts';

export const contract = {
  id: 'account.copy',
  summary: 'Copy roles and teams',
  method: 'POST',
  path: '/api/core/account/copy/{source_username}/{target_username}',
  access: { role: 'sys_administrator' },
  stepUp: 'always',
  accounts: ['source_username', 'target_username'],
  needs: [
    'table:BatchGetItem:TEAMS',
    'transaction:UpdateItem:ACCOUNT:copy',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
  ],
  audit: { target: 'account', details: ['source', 'roles_added', 'teams_added'] },
  title: 'Account Copied',
  failures: ['account_cancelled', 'machine_account', 'role_limit', 'team_limit'],
  params: () =>
    z.object({ source_username: username(), target_username: username() }).check(
      z.refine((names) => !sameUsername(names.source_username, names.target_username), {
        error: 'Must be another account than the source',
        path: ['target_username'],
      }),
    ),
  response: () =>
    z.strictObject({
      source: z.string(),
      target: z.string(),
      roles_added: z.array(z.string()),
      teams_added: z.array(z.uuid()),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Adds the roles and teams of the source to those of the target, all or none of them; removes nothing.',
    'A target without a default team gets that of the source.',
  ],
  params: {
    source_username: {
      description: 'Account whose roles and teams are copied',
      example: 'source.username',
    },
    target_username: {
      description: 'Account that receives the roles and teams',
      example: 'target.username',
    },
  },
  response: {
    name: 'AccountCopy',
    fields: {
      source: 'Account whose roles and teams were copied',
      target: 'Account that received the roles and teams',
      roles_added: 'Roles that the target did not have before',
      teams_added: 'IDs of the teams that the target did not belong to before',
    },
  },
} as const satisfies Texts;
