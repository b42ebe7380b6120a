import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { page, pageQuery } from '../contract/paging.ts';
import { text } from '../item/fields.ts';
import { tokenRecordSchema } from './record.ts';

export const contract = {
  id: 'token.browse',
  summary: 'List all tokens',
  method: 'GET',
  path: '/api/core/token/browse',
  access: { role: 'sys_administrator' },
  needs: ['index:GSI1:TOKENS', 'table:GetItem:CURSORS', 'table:PutItem:CURSORS'],
  title: 'Token List',
  compress: true,
  query: () => z.extend(pageQuery(), { created_by: z.optional(text(256).check(z.minLength(1))) }),
  response: () => z.strictObject({ items: z.array(tokenRecordSchema()), ...page() }),
} as const satisfies Contract;
