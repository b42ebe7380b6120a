import * as z from 'zod/mini';
import type { Contract } from '../../contract/contract.ts';
import { instant, page, pageQuery } from '../../contract/paging.ts';
import { statisticsSchema } from '../../stats/statistics.ts';
import { username } from '../identifiers.ts';
import { filterQuery } from './filter.ts';
import { directoryItemSchema } from './item.ts';

export const contract = {
  id: 'account.browse',
  summary: 'List accounts',
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
    'table:GetItem:CURSORS',
    'table:PutItem:CURSORS',
  ],
  title: 'Account List',
  compress: true,
  memory: 1769,
  query: () =>
    z
      .extend(pageQuery(), {
        ...filterQuery().shape,
        cancelled_since: z.optional(instant()),
        username: z.optional(username()),
      })
      .check(
        z.refine(({ state, cancelled_since }) => state !== 'active' || cancelled_since === undefined, {
          error: 'Cannot be active with cancelled_since',
          path: ['state'],
        }),
        z.refine(
          ({ limit: _, ...asked }) => asked.username === undefined || Object.keys(asked).length === 1,
          { error: 'Cannot be combined with a filter or a cursor', path: ['username'] },
        ),
      ),
  response: () =>
    z.strictObject({
      items: z.array(directoryItemSchema()),
      stats: statisticsSchema(),
      ...page(),
    }),
} as const satisfies Contract;
