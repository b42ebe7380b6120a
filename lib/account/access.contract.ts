import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING } from '../contract/needs.ts';
import type { Texts } from '../texts.ts';
import { accessChange } from './access.ts';
import { username } from './identifiers.ts';
import { KINDS } from './kinds.ts';
import { accessNamesTexts } from './memberships.ts';

export const contract = {
  id: 'account.access',
  summary: 'Add and remove roles, teams and applications',
  method: 'POST',
  path: '/api/core/account/access/{username}',
  access: { role: 'sys_administrator' },
  stepUp: { with: ['add.roles', { list: 'remove.roles', value: 'sys_administrator' }, 'kind'] },
  accounts: ['username'],
  needs: [
    'table:BatchGetItem:TEAMS',
    'index:GSI1:ACCOUNTS',
    'transaction:UpdateItem:ACCOUNT:memberships',
    'transaction:ConditionCheckItem:ACCOUNT:guard',
    'transaction:UpdateItem:ACCOUNT:machine',
    'table:DeleteItem:PASSWORD',
    'transaction:UpdateItem:PASSKEY:end',
    'table:DeleteItem:PASSKEY',
    'transaction:UpdateItem:OUTBOX:passkey_delete',
    ...PUBLISHING,
  ],
  audit: {
    target: 'account',
    details: [
      'roles_added',
      'roles_removed',
      'teams_added',
      'teams_removed',
      'apps_added',
      'apps_removed',
      'machine_owner',
      'to_machine',
      'passkeys_ended',
    ],
  },
  title: 'Access Changed',
  failures: [
    'account_cancelled',
    'app_limit',
    'last_administrator',
    'machine_account',
    'role_limit',
    'team_limit',
    'team_not_found',
  ],
  params: () => z.object({ username: username() }),
  body: accessChange,
  response: () =>
    z.strictObject({
      username: z.string(),
      roles_added: z.array(z.string()),
      roles_removed: z.array(z.string()),
      teams_added: z.array(z.uuid()),
      teams_removed: z.array(z.uuid()),
      apps_added: z.array(z.string()),
      apps_removed: z.array(z.string()),
      kind: z.enum(KINDS),
      owner: z.nullable(z.string()),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Adds and removes roles, teams and applications, all or none of them, and returns what has changed.',
    'Unknown roles and applications are new names, except roles that begin with `sys_`, which are those of the service; teams must exist. Any role can be removed.',
    'If the default team or application is removed, the first one left replaces it.',
    'An account keeps at least one application, and the service one active, unlocked administrator.',
    'A cancelled account can only lose memberships.',
    '`owner` names the person who answers for a machine. With `kind` it turns the account of a person into one of a machine for good: its password, one-time codes, passkeys and sessions end, its tokens stay valid.',
  ],
  body: {
    name: 'AccessChange',
    parts: [accessNamesTexts],
    fields: {
      add: 'Memberships to add',
      remove: 'Memberships to remove',
      owner: 'Username of the person who answers for a machine from now on',
      kind: '`machine` turns the account of a person into one of a machine; only with `owner`, and without `add` and `remove`',
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
      kind: '`machine` for a program, `person` otherwise',
      owner: 'Person who answers for a machine; null for a person',
    },
  },
} as const satisfies Texts;
