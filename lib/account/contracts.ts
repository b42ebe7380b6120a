import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { CHANGE_OF_ACCOUNT } from '../contract/needs.ts';
import { instant, page, pageQuery } from '../contract/paging.ts';
import { sameUsername } from './account.ts';
import { filterQuery } from './directory/filter.ts';
import { directoryItemSchema } from './directory-item.ts';
import { username } from './identifiers.ts';

export const browse = {
  id: 'account.browse',
  summary: 'List the account directory with its statistics',
  method: 'GET',
  path: '/api/core/account/browse',
  access: { role: 'sys_administrator' },
  needs: [
    'index:GSI1:ACCOUNTS',
    'table:Query:STATS',
    'table:BatchGetItem:SLICE',
    'table:Query:CANCELLED',
    'table:GetItem:ACCOUNT',
    'table:BatchGetItem:ACCOUNT',
    'table:GetItem:KEYS',
  ],
  title: 'Account List',
  compress: true,
  memory: 1769,
  // A page is up to 5 MB, and reads that many times 128 units of capacity.
  throttle: { rate: 10, burst: 20 },
  query: () =>
    z.extend(pageQuery(), { ...filterQuery().shape, cancelled_since: z.optional(instant()) }).check(
      z.refine(({ state, cancelled_since }) => state !== 'active' || cancelled_since === undefined, {
        error: 'Cannot be active with cancelled_since',
        path: ['state'],
      }),
    ),
  response: () =>
    z.strictObject({
      items: z.array(directoryItemSchema()),
      stats: z.strictObject({
        count: z.int(),
        locked: z.int(),
        last_week: z.int(),
        today: z.int(),
        as_of: z.string(),
      }),
      ...page(),
    }),
} as const satisfies Contract;

export const copy = {
  id: 'account.copy',
  summary: 'Give an account the roles and teams of another',
  method: 'POST',
  path: '/api/core/account/copy/{source_username}/{target_username}',
  access: { role: 'sys_administrator' },
  accounts: ['source_username', 'target_username'],
  needs: CHANGE_OF_ACCOUNT,
  title: 'Account Copied',
  failures: ['account_cancelled', 'role_limit', 'team_limit'],
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
