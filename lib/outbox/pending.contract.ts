import * as z from 'zod/mini';
import type { Contract } from '../contract/contract.ts';
import { page, pageQueryById } from '../contract/paging.ts';
import type { Texts } from '../texts.ts';
import { pendingEventSchema, pendingEventTexts } from './outbox.ts';

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

export const texts = {
  description: [
    'Lists the events that EventBridge has not accepted yet, oldest first, without their details.',
    'A page reads at most 1 MB; pass `data.next_cursor` as `cursor` to get the next page, which may be empty.',
  ],
  response: {
    name: 'PendingEvents',
    parts: [pendingEventTexts],
    fields: { items: 'Events of this page, oldest first' },
  },
} as const satisfies Texts;
