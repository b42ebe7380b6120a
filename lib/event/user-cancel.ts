import * as z from 'zod/mini';
import { type AccountEvent, memberships, membershipsOf, text, time } from './account-event.ts';

/** A cancelled account: subscribers delete its data. */
export const userCancel = {
  type: 'user_cancel',
  version: '1',
  summary: 'An account was cancelled',
  tells: ['teams', 'roles'],
  own: () =>
    z.object({
      cancelled_at: time('Time at which the account was cancelled'),
      cancelled_by: text('Username of the administrator, or `operator:<user>` for a command'),
      ...memberships(),
    }),
  detail: (account, { at, by }) => ({
    cancelled_at: new Date(at).toISOString(),
    cancelled_by: by,
    ...membershipsOf(account),
  }),
} as const satisfies AccountEvent;
