import * as z from 'zod/mini';
import { type AccountEvent, amount, memberships, membershipsOf, text, time } from './account-event.ts';

/** A cancelled account is active again: what was not cleaned up yet must stay. */
export const userReactivate = {
  type: 'user_reactivate',
  version: '1',
  summary: 'A cancelled account was made active again',
  tells: ['teams', 'roles', 'token_count'],
  own: () =>
    z.object({
      reactivated_at: time('When'),
      reactivated_by: text('Username of the administrator, or `operator:<user>`'),
      tokens_revived: amount('API tokens that are good again'),
      tokens_revoked: amount('API tokens that were deleted instead'),
      ...memberships(),
    }),
  detail: (account, { at, by }, tokensRevoked: number) => ({
    reactivated_at: new Date(at).toISOString(),
    reactivated_by: by,
    tokens_revived: account.token_count,
    tokens_revoked: tokensRevoked,
    ...membershipsOf(account),
  }),
  sample: 0,
} as const satisfies AccountEvent<z.ZodMiniObject, number>;
