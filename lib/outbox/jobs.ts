import type { Job } from '../contract/contract.ts';

export const relayOutbox = {
  // Endpoints have the noun of their path, such as `event.pending`. IDs of deployed functions do not change.
  id: 'events.relay-outbox',
  summary: 'Publish the events that their own request could not publish',
  trigger: { everyMinutes: 1 },
  needs: [
    'table:Query:OUTBOX',
    // Events of operator commands.
    'table:BatchGetItem:OUTBOX',
    'table:UpdateItem:OUTBOX:trial',
    'table:DeleteItem:OUTBOX',
    'events:PutEvents',
  ],
} as const satisfies Job;
