import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING } from '../contract/needs.ts';
import { teamSchema, teamShort, teamTexts } from '../item/team.ts';
import type { Texts } from '../texts.ts';

export const contract = {
  id: 'team.delete',
  summary: 'Delete a team',
  method: 'POST',
  path: '/api/core/team/delete/{short}',
  access: { role: 'sys_administrator' },
  stepUp: 'always',
  needs: [
    'table:BatchGetItem:TEAMS',
    'table:Query:TEAMS',
    'index:GSI1:ACCOUNTS',
    'transaction:UpdateItem:TEAMS:delete',
    'transaction:UpdateItem:OUTBOX:team_delete',
    ...PUBLISHING,
    'transaction:ConditionCheckItem:ACCOUNT:guard',
  ],
  audit: { target: 'team', details: ['moved_to'] },
  title: 'Team Deleted',
  failures: ['team_not_found', 'team_in_use'],
  params: () => z.object({ short: teamShort() }),
  body: () => z.strictObject({ to: z.optional(teamShort()) }),
  bodyKind: 'json-or-none',
  response: () => z.extend(teamSchema(), { moved_to: z.nullable(z.string()) }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Deletes a team. With `to`, its members become members of that team instead, without a level; where it was the default team, that one is.',
    'Without `to`, the team must have no members: otherwise the answer is 409 with their number in `data.members`. It is counted in all accounts.',
    'From then on the team takes no members and is listed no more. A job changes the accounts, which may show the team for some minutes; then its short name is free again.',
  ],
  params: { short: { description: 'Short name of the team, in any case', example: 'ops' } },
  body: {
    name: 'TeamDeletion',
    fields: { to: 'Short name of another team, in any case, that takes the members; none by default' },
  },
  response: {
    name: 'DeletedTeam',
    parts: [teamTexts],
    fields: { moved_to: 'Short name of the team that takes the members; null without one' },
  },
} as const satisfies Texts;
