import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { page, pageQuery } from '../contract/paging.ts';
import { teamSchema, teamShort } from '../item/team.ts';

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
