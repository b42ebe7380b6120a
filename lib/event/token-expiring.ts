import * as z from 'zod/mini';
import type { Reminder } from '../item/token.ts';
import { type AccountEvent, amount, text, time } from './account-event.ts';

type Ending = Pick<Reminder, 'name' | 'expires_at' | 'days'>;

export const tokenExpiring = {
  type: 'token_expiring',
  version: '1',
  summary: 'An API token expires in 14 or 3 days',
  tells: [],
  own: () =>
    z.object({
      token_name: text('Token name, unique within the account'),
      token_expires_at: time('Time from which the token is refused'),
      days_before: amount('Days before the end: 14 or 3; after an outage the event is late'),
    }),
  detail: (_account, _change, { name, expires_at, days }: Ending) => ({
    token_name: name,
    token_expires_at: new Date(expires_at).toISOString(),
    days_before: days,
  }),
  sample: { name: 'ci', expires_at: Date.UTC(2026, 11, 4, 5, 30), days: 14 },
} as const satisfies AccountEvent<z.ZodMiniObject, Ending>;
