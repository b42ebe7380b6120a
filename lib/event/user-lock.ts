import * as z from 'zod/mini';
import { type AccountEvent, text, time } from './account-event.ts';

/** An administrator has locked an account. Lockouts for a time, after failed logins, are none of this. */
export const userLock = {
  type: 'user_lock',
  version: '1',
  summary: 'An administrator has locked an account',
  tells: [],
  own: () =>
    z.object({
      locked_at: time('When'),
      locked_by: text('Username of the administrator, or `operator:<user>`'),
    }),
  detail: (_account, { at, by }) => ({ locked_at: new Date(at).toISOString(), locked_by: by }),
} as const satisfies AccountEvent;
