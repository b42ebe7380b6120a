import * as z from 'zod/mini';
import { FOREVER, liveTokens } from '../item/account.ts';
import { type AccountEvent, actor, amount, memberships, membershipsOf, time } from './account-event.ts';

/** A cancelled account: subscribers delete its data. */
export const userCancel = {
  type: 'user_cancel',
  version: '1',
  summary: 'An account was cancelled',
  own: () =>
    z.object({
      cancelled_at: time('Time at which the account was cancelled'),
      cancelled_by: actor('Username of the administrator'),
      ...memberships(),
    }),
  detail: (account, { at, by }) => ({
    cancelled_at: new Date(at).toISOString(),
    cancelled_by: by,
    ...membershipsOf(account),
  }),
} as const satisfies AccountEvent;

/** A cancelled account that is active again: subscribers keep the data that they have not deleted yet. */
export const userReactivate = {
  type: 'user_reactivate',
  version: '1',
  summary: 'A cancelled account was reactivated',
  tellsTokens: true,
  own: () =>
    z.object({
      reactivated_at: time('Time at which the account was reactivated'),
      reactivated_by: actor('Username of the administrator'),
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

/** A new account. */
export const userCreate = {
  type: 'user_create',
  version: '1',
  summary: 'An account was created',
  own: () =>
    z.object({
      created_at: time('Time at which the account was created'),
      created_by: actor('Username of the administrator'),
      ...memberships(),
    }),
  detail: (account, { at, by }) => ({
    created_at: new Date(at).toISOString(),
    created_by: by,
    ...membershipsOf(account),
  }),
} as const satisfies AccountEvent;

/**
 * A lock by an administrator, or new terms of one. Temporary lockouts after failed logins publish no event, nor does the
 * end of a lock that has one.
 */
export const userLock = {
  type: 'user_lock',
  version: '1',
  summary: 'An administrator locked an account',
  own: () =>
    z.object({
      locked_at: time('Time at which the account was locked'),
      locked_by: actor('Username of the administrator'),
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

/** An unlock by an administrator, of a lock or of a temporary lockout. */
export const userUnlock = {
  type: 'user_unlock',
  version: '1',
  summary: 'An administrator unlocked an account',
  own: () =>
    z.object({
      unlocked_at: time('Time at which the account was unlocked'),
      unlocked_by: actor('Username of the administrator'),
    }),
  detail: (_account, { at, by }) => ({ unlocked_at: new Date(at).toISOString(), unlocked_by: by }),
} as const satisfies AccountEvent;

/** The proof that permitted a new password. */
export type PasswordProof = 'password' | 'code' | 'command';

/** A new password of an existing account; the event contains neither it nor its hash. */
export const passwordChange = {
  type: 'password_change',
  version: '1',
  summary: 'The password of an account was changed',
  own: () =>
    z.object({
      changed_at: time('Time at which the password was changed'),
      changed_by: actor(),
      changed_with: z
        .enum(['password', 'code', 'command'])
        .check(z.describe('The current password, a one-time code, or a command of an operator')),
    }),
  detail: (_account, { at, by }, changed_with: PasswordProof) => ({
    changed_at: new Date(at).toISOString(),
    changed_by: by,
    changed_with,
  }),
  sample: 'password',
} as const satisfies AccountEvent<z.ZodMiniObject, PasswordProof>;
