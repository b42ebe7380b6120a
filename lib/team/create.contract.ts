import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING } from '../contract/needs.ts';
import { teamSchema, teamShort, teamTexts } from '../item/team.ts';
import type { Texts } from '../texts.ts';
import { newTeam } from './team.ts';

export const contract = {
  id: 'team.create',
  summary: 'Create a team',
  method: 'POST',
  path: '/api/core/team/create/{short}',
  access: { role: 'sys_administrator' },
  needs: [
    'transaction:UpdateItem:TEAMS',
    'transaction:UpdateItem:OUTBOX:team_create',
    ...PUBLISHING,
    'transaction:ConditionCheckItem:ACCOUNT:guard',
  ],
  audit: { target: 'team' },
  title: 'Team Created',
  failures: ['team_exists'],
  params: () => z.object({ short: teamShort() }),
  body: newTeam,
  response: teamSchema,
} as const satisfies Contract;

export const texts = {
  description: ['Creates a team.', 'Its short name is unique without regard to case.'],
  params: {
    short: {
      description: 'Short name of the team, unique regardless of case',
      example: 'ops',
    },
  },
  body: {
    name: 'NewTeam',
    fields: {
      name: 'Full name of the team',
      type: 'Type of the team, for example `internal`',
    },
  },
  response: teamTexts,
} as const satisfies Texts;
