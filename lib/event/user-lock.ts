import * as z from 'zod/mini';
import { FOREVER } from '../item/account.ts';
import { type AccountEvent, text, time } from './account-event.ts';

/**
 * A lock by an administrator, or new terms of one. Temporary lockouts after failed logins publish no event, nor does the
 * end of a lock that has one.
 */
export const userLock = {
  type: 'user_lock',
  version: '1',
  summary: 'An administrator locked an account',
  tells: [],
  own: () =>
    z.object({
      locked_at: time('Time at which the account was locked'),
      locked_by: text('Username of the administrator, or `operator:<user>` for a command'),
      locked_until: z.optional(
        time('Time at which the lock ends by itself, which no event reports; absent without such an end'),
      ),
    }),
  detail: (_account, { at, by }, lockoutend: string) => ({
    locked_at: new Date(at).toISOString(),
    locked_by: by,
    ...(lockoutend === FOREVER ? {} : { locked_until: new Date(lockoutend).toISOString() }),
  }),
  sample: '2026-11-27T05:30:00.000+00:00',
} as const satisfies AccountEvent<z.ZodMiniObject, string>;
