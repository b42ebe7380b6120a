import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING } from '../contract/needs.ts';
import { teamSchema, teamShort } from '../item/team.ts';
import { newTeam } from './team.ts';

export const contract = {
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
