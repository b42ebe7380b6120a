import * as z from 'zod/mini';
import { type AccountEvent, text, time } from './account-event.ts';

/** An administrator has ended a lockout, of either kind. */
export const userUnlock = {
  type: 'user_unlock',
  version: '1',
  summary: 'An administrator has unlocked an account',
  tells: [],
  own: () =>
    z.object({
      unlocked_at: time('When'),
      unlocked_by: text('Username of the administrator, or `operator:<user>`'),
    }),
  detail: (_account, { at, by }) => ({ unlocked_at: new Date(at).toISOString(), unlocked_by: by }),
} as const satisfies AccountEvent;
