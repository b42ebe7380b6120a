import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { page, pageQuery } from '../contract/paging.ts';
import { teamSchema, teamShort, teamTexts } from '../item/team.ts';
import type { Texts } from '../texts.ts';

export const contract = {
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

export const texts = {
  description: [
    'Lists teams, sorted by lower-cased short name.',
    'A page reads at most 1 MB; pass `data.next_cursor` as `cursor` to get the next page, which may be empty.',
  ],
  response: {
    name: 'TeamPage',
    parts: [teamTexts],
    fields: { items: 'Teams of this page, sorted by lower-cased short name' },
  },
} as const satisfies Texts;
