import * as z from 'zod/mini';
import { type AccountEvent, text, time } from './account-event.ts';

/** A lock by an administrator; temporary lockouts after failed logins publish no event. */
export const userLock = {
  type: 'user_lock',
  version: '1',
  summary: 'An administrator locked an account',
  tells: [],
  own: () =>
    z.object({
      locked_at: time('Time at which the account was locked'),
      locked_by: text('Username of the administrator, or `operator:<user>` for a command'),
    }),
  detail: (_account, { at, by }) => ({ locked_at: new Date(at).toISOString(), locked_by: by }),
} as const satisfies AccountEvent;
