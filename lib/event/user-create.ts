import * as z from 'zod/mini';
import { type AccountEvent, memberships, membershipsOf, text, time } from './account-event.ts';

/** A new account. */
export const userCreate = {
  type: 'user_create',
  version: '1',
  summary: 'An account was created',
  tells: ['teams', 'roles'],
  own: () =>
    z.object({
      created_at: time('Time at which the account was created'),
      created_by: text('Username of the administrator, or `operator:<user>` for a command'),
      ...memberships(),
    }),
  detail: (account, { at, by }) => ({
    created_at: new Date(at).toISOString(),
    created_by: by,
    ...membershipsOf(account),
  }),
} as const satisfies AccountEvent;
