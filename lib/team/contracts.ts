import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING } from '../contract/needs.ts';
import { page, pageQuery } from '../contract/paging.ts';
import { teamSchema, teamShort } from '../item/team.ts';
import { newTeam } from './team.ts';

export const browse = {
  id: 'team.browse',
  summary: 'List teams',
  method: 'GET',
  path: '/api/core/team/browse',
  access: { role: 'sys_administrator' },
  needs: ['table:Query:TEAMS'],
  title: 'Team List',
  query: () => z.extend(pageQuery(), { cursor: z.optional(teamShort()) }),
  response: () => z.strictObject({ items: z.array(teamSchema()), ...page() }),
} as const satisfies Contract;

export const create = {
  id: 'team.create',
  summary: 'Create a team',
  method: 'POST',
  path: '/api/core/team/create/{short}',
  access: { role: 'sys_administrator' },
  needs: ['transaction:PutItem:TEAMS', PUBLISHING, 'transaction:ConditionCheckItem:ACCOUNT:guard'],
  title: 'Team Created',
  failures: ['team_exists'],
  params: () => z.object({ short: teamShort() }),
  body: newTeam,
  response: teamSchema,
} as const satisfies Contract;
