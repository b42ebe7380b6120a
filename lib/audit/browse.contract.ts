import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { instant, page, pageQuery } from '../contract/paging.ts';
import { auditEntrySchema } from '../item/audit-entry.ts';

const name = () => z.optional(z.string().check(z.minLength(1), z.maxLength(300)));

export const contract = {
  id: 'audit.browse',
  summary: 'List audit entries',
  method: 'GET',
  path: '/api/core/audit/browse',
  access: { role: 'sys_administrator' },
  needs: ['table:Query:AUDIT', 'index:GSI1:TARGETS', 'table:GetItem:CURSORS', 'table:PutItem:CURSORS'],
  title: 'Audit List',
  compress: true,
  query: () =>
    z.extend(pageQuery(), {
      actor: name(),
      target: name(),
      action: name(),
      outcome: name(),
      since: z.optional(instant()),
      until: z.optional(instant()),
    }),
  response: () => z.strictObject({ items: z.array(auditEntrySchema()), ...page() }),
} as const satisfies Contract;
