import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { instantOrDate, page, pageQuery } from '../contract/paging.ts';
import { booleanText } from '../input/parse.ts';
import { auditEntryTexts, listedEntrySchema } from '../item/audit-entry.ts';
import { typed } from '../item/fields.ts';
import type { Texts } from '../texts.ts';

const name = () => z.optional(typed().check(z.minLength(1), z.maxLength(300)));

export const contract = {
  id: 'audit.browse',
  summary: 'List audit entries',
  method: 'GET',
  path: '/api/core/audit/browse',
  access: { role: 'sys_administrator' },
  needs: [
    'table:Query:AUDIT',
    'index:GSI1:TARGETS',
    'index:GSI1:REFUSALS',
    'table:BatchGetItem:ACCOUNT',
    'table:GetItem:CURSORS',
    'table:PutItem:CURSORS',
  ],
  title: 'Audit List',
  compress: true,
  query: () =>
    z.extend(pageQuery(), {
      actor: name(),
      target: name(),
      action: name(),
      outcome: name(),
      batch: z.optional(z.uuid().check(z.toLowerCase())),
      since: z.optional(instantOrDate()),
      until: z.optional(instantOrDate()),
      names: z.optional(booleanText()),
    }),
  response: () => z.strictObject({ items: z.array(listedEntrySchema()), ...page() }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Lists audit entries of the last <!-- audit-days --> days by default, newest first: changes, logins and refusals, and operator commands with their start (`started`) and their end.',
    'An entry appears within a minute.',
    'Refusals (401, 403, 429) of an hour that have actor, target, action and cause in common are one entry, with their count; its `time` is the start of the hour.',
    'Filters match whole values, regardless of case; a `target` includes its tokens.',
    'With `actor`, `action`, `outcome`, `batch` or a token as `target`, a page examines <!-- examined --> entries at most, and may be short or empty before the last.',
    'Pass `data.next_cursor` as `cursor` to get the next page.',
  ],
  query: {
    actor: 'List only entries of this actor, regardless of case',
    target:
      'List only entries about this account and its tokens, this token (`name@username`) or this key, regardless of case',
    action: {
      description: 'List only entries of this action: ID of an endpoint, or an operator command',
      example: 'account.lock',
    },
    outcome: 'List only entries with this outcome: `ok`, `started`, or the code of a failure',
    batch:
      'List only entries of requests that were sent with this `X-Batch`; counted refusals by the latest of them',
    since: 'List only entries of this time or later',
    until: 'List only entries of this time or earlier',
    names: {
      description:
        'Add the present names of the people to each entry; a page then has at most <!-- named-entries --> entries',
      schema: { type: 'boolean' },
    },
  },
  response: {
    name: 'AuditPage',
    parts: [auditEntryTexts],
    fields: { items: 'Entries of this page, newest first' },
  },
} as const satisfies Texts;
