import * as z from 'zod/mini';
import { type AccountEvent, text, time } from './account-event.ts';

/** An unlock by an administrator, of a lock or of a temporary lockout. */
export const userUnlock = {
  type: 'user_unlock',
  version: '1',
  summary: 'An administrator unlocked an account',
  tells: [],
  own: () =>
    z.object({
      unlocked_at: time('Time at which the account was unlocked'),
      unlocked_by: text('Username of the administrator, or `operator:<user>` for a command'),
    }),
  detail: (_account, { at, by }) => ({ unlocked_at: new Date(at).toISOString(), unlocked_by: by }),
} as const satisfies AccountEvent;
