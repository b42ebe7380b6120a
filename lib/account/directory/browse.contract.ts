import * as z from 'zod/mini';
import type { Contract } from '../../contract/contract.ts';
import { instantOrDate, page, pageQuery } from '../../contract/paging.ts';
import { booleanText } from '../../input/parse.ts';
import { statisticsSchema, statisticsTexts } from '../../stats/statistics.ts';
import type { Texts } from '../../texts.ts';
import { username } from '../identifiers.ts';
import { filterQuery, MAY_BE_CANCELLED } from './filter.ts';
import { listedSchema, listedTexts } from './item.ts';

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
        cancelled_since: z.optional(instantOrDate()),
        username: z.optional(username()),
        names: z.optional(booleanText()),
        owner_gone: z.optional(booleanText()),
      })
      .check(
        z.refine(
          ({ state, cancelled_since }) =>
            state === undefined || MAY_BE_CANCELLED.includes(state) || cancelled_since === undefined,
          {
            error: ({ input }) => `Cannot be ${(input as { state: string }).state} with cancelled_since`,
            path: ['state'],
          },
        ),
        z.refine(
          ({ kind, owner, owner_gone }) =>
            kind !== 'person' || (owner === undefined && owner_gone === undefined),
          { error: 'Cannot be person with owner or owner_gone', path: ['kind'] },
        ),
        z.refine(
          ({ limit: _, names: __, ...asked }) =>
            asked.username === undefined || Object.keys(asked).length === 1,
          { error: 'Cannot be combined with a filter or a cursor', path: ['username'] },
        ),
      ),
  response: () =>
    z.strictObject({
      items: z.array(listedSchema()),
      stats: statisticsSchema(),
      ...page(),
    }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Lists accounts, sorted by lower-cased username (with `cancelled_since` by the time of cancellation), with statistics of the whole directory.',
    'A response contains everything that fits 5 MB; pass `data.next_cursor` as `cursor` to get the next page.',
    '`username` lists the account with this username only, at the cost of one read.',
  ],
  query: {
    q: 'List only accounts whose username, first and last name contain each word of this text, regardless of case, diacritics and look-alike punctuation; `mueller` and `muller` find Müller. A word may also begin both names in a row: `王小明` finds 小明 王',
    state:
      'List only accounts in this state. `locked` accounts may be active or cancelled; `never_used` ones are active. `invited` persons have no password, and a one-time code that has not expired; for `code_expired` it has. Both leave out accounts that an administrator has locked, and keep those that failed logins lock out, since a code works for them; and both know of a code what `code_expires_at` of an item shows. With `cancelled_since` only `cancelled` and `locked`',
    role: 'List only accounts with this role',
    team: 'List only members of the team with this short name, regardless of case',
    app: 'List only accounts that may use this application',
    inactive_since:
      'List only accounts whose last activity, or creation if they were never used, is before this time',
    never_used: {
      description: 'List only accounts that were never used (`true`) or were used (`false`)',
      schema: { type: 'boolean' },
    },
    counter_fell: {
      description:
        'List only accounts with (`true`) or without (`false`) a passkey that was refused because its signature counter did not rise',
      schema: { type: 'boolean' },
    },
    kind: 'List only persons or only machines; both by default',
    owner:
      'List only machines that this person answers for: a username, or `erased:` and an ID as in `owner` of an item, regardless of case',
    owner_gone: {
      description:
        'List only machines that nobody answers for, because the owner is cancelled, erased or a machine itself (`true`), or that somebody answers for (`false`)',
      schema: { type: 'boolean' },
    },
    cancelled_since:
      'List only accounts cancelled at this time or later, in the order of their cancellation; at most <!-- cancelled --> a page',
    names: {
      description:
        'Add the names of applications, roles and teams to each account; with `cancelled_since`, a page then has at most 200 accounts',
      schema: { type: 'boolean' },
    },
  },
  response: {
    name: 'Directory',
    parts: [listedTexts, statisticsTexts],
    fields: { stats: 'Statistics of the whole directory, on every page' },
  },
} as const satisfies Texts;
