import * as z from 'zod/mini';
import { type AccountEvent, memberships, membershipsOf, text, time } from './account-event.ts';

/** An account was cancelled: subscribers clean up after it. */
export const userCancel = {
  type: 'user_cancel',
  version: '1',
  summary: 'An account was cancelled',
  tells: ['teams', 'roles'],
  own: () =>
    z.object({
      cancelled_at: time('When'),
      cancelled_by: text('Username of the administrator, or `operator:<user>`'),
      ...memberships(),
    }),
  detail: (account, { at, by }) => ({
    cancelled_at: new Date(at).toISOString(),
    cancelled_by: by,
    ...membershipsOf(account),
  }),
} as const satisfies AccountEvent;
