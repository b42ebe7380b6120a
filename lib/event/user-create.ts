import * as z from 'zod/mini';
import { type AccountEvent, memberships, membershipsOf, text, time } from './account-event.ts';

/** There is a new account. */
export const userCreate = {
  type: 'user_create',
  version: '1',
  summary: 'An account was created',
  tells: ['teams', 'roles'],
  own: () =>
    z.object({
      created_at: time('When'),
      created_by: text('Always `operator:<user>`: accounts are created by commands'),
      ...memberships(),
    }),
  detail: (account, { at, by }) => ({
    created_at: new Date(at).toISOString(),
    created_by: by,
    ...membershipsOf(account),
  }),
} as const satisfies AccountEvent;
