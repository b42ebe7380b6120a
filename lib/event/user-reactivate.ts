import * as z from 'zod/mini';
import { liveTokens } from '../item/account.ts';
import { type AccountEvent, amount, memberships, membershipsOf, text, time } from './account-event.ts';

/** A cancelled account that is active again: subscribers keep the data that they have not deleted yet. */
export const userReactivate = {
  type: 'user_reactivate',
  version: '1',
  summary: 'A cancelled account was reactivated',
  tells: ['teams', 'roles', 'token_count'],
  own: () =>
    z.object({
      reactivated_at: time('Time at which the account was reactivated'),
      reactivated_by: text('Username of the administrator, or `operator:<user>` for a command'),
      tokens_revived: amount('Number of API tokens that work again'),
      tokens_revoked: amount('Number of API tokens that were deleted'),
      ...memberships(),
    }),
  detail: (account, { at, by }, tokensRevoked: number) => ({
    reactivated_at: new Date(at).toISOString(),
    reactivated_by: by,
    tokens_revived: liveTokens(account, at),
    tokens_revoked: tokensRevoked,
    ...membershipsOf(account),
  }),
  sample: 0,
} as const satisfies AccountEvent<z.ZodMiniObject, number>;
