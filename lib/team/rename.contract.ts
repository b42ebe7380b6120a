import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING } from '../contract/needs.ts';
import { teamSchema, teamShort, teamTexts } from '../item/team.ts';
import type { Texts } from '../texts.ts';
import { teamName } from './team.ts';

export const contract = {
  id: 'team.rename',
  summary: 'Rename a team',
  method: 'POST',
  path: '/api/core/team/rename/{short}',
  access: { role: 'sys_administrator' },
  needs: [
    'table:GetItem:TEAMS',
    'transaction:UpdateItem:TEAMS:rename',
    'transaction:UpdateItem:OUTBOX:team_rename',
    ...PUBLISHING,
    'transaction:ConditionCheckItem:ACCOUNT:guard',
  ],
  audit: { target: 'team', details: ['team_name'] },
  title: 'Team Renamed',
  repeatable: true,
  failures: ['team_not_found'],
  params: () => z.object({ short: teamShort() }),
  body: teamName,
  response: () => z.extend(teamSchema(), { changed: z.boolean() }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Gives a team another name. Its short name and its ID stay.',
    'Accounts may show the former name until a job has changed them, some minutes.',
  ],
  params: { short: { description: 'Short name of the team, in any case', example: 'ops' } },
  body: { name: 'TeamName', fields: { name: 'New full name of the team' } },
  response: {
    name: 'RenamedTeam',
    parts: [teamTexts],
    fields: { changed: 'Whether the team had another name' },
  },
} as const satisfies Texts;
