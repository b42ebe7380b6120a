import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { instantOrDate, page, pageQuery } from '../contract/paging.ts';
import { plain, typed } from '../item/fields.ts';
import type { Texts } from '../texts.ts';
import { tokenRecordSchema, tokenTexts } from './record.ts';

export const contract = {
  id: 'token.browse',
  summary: 'List all tokens',
  method: 'GET',
  path: '/api/core/token/browse',
  access: { role: 'sys_administrator' },
  needs: ['index:GSI1:TOKENS', 'table:Query:REVOKED', 'table:GetItem:CURSORS', 'table:PutItem:CURSORS'],
  title: 'Token List',
  compress: true,
  query: () =>
    z.extend(pageQuery(), {
      created_by: z.optional(typed().check(z.maxLength(256), plain(), z.minLength(1))),
      unused_since: z.optional(instantOrDate()),
    }),
  response: () => z.strictObject({ items: z.array(tokenRecordSchema()), ...page() }),
} as const satisfies Contract;

export const texts = {
  description: [
    'Lists the tokens of all accounts, sorted by the lower-cased username of their owners.',
    'Secrets are null.',
    'Pass `data.next_cursor` as `cursor` to get the next page.',
    'With `created_by` or `unused_since`, a page reads <!-- examined --> tokens at most and costs as much as one without them.',
    'A page may be short or empty before the last.',
  ],
  query: {
    created_by: 'List only tokens with this `token_created_by`, regardless of case',
    unused_since: 'List only tokens whose last use, or creation if they were never used, is before this time',
  },
  response: { name: 'TokenPage', parts: [tokenTexts] },
} as const satisfies Texts;
