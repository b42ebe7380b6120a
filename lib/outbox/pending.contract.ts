import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { page, pageQueryById } from '../contract/paging.ts';
import { pendingEventSchema } from './outbox.ts';

export const contract = {
  id: 'event.pending',
  summary: 'List events in the outbox',
  method: 'GET',
  path: '/api/core/event/pending',
  access: { role: 'sys_administrator' },
  needs: ['table:Query:OUTBOX'],
  title: 'Event List',
  query: pageQueryById,
  response: () => z.strictObject({ items: z.array(pendingEventSchema()), ...page() }),
} as const satisfies Contract;
