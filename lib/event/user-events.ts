import * as z from 'zod/mini';
import { FOREVER, liveTokens } from '../item/account.ts';
import {
  type AccountEvent,
  amount,
  changed,
  changeOf,
  memberships,
  membershipsOf,
  time,
} from './account-event.ts';

const ADMINISTRATOR = 'Username of the administrator';

/** A cancelled account: subscribers delete its data. */
export const userCancel = {
  type: 'user_cancel',
  version: '1',
  summary: 'An account was cancelled',
  own: () => ({
    ...changed('cancelled', 'Time at which the account was cancelled', ADMINISTRATOR),
    ...memberships(),
  }),
  detail: (account, change) => ({ ...changeOf('cancelled', change), ...membershipsOf(account) }),
} as const satisfies AccountEvent;

/** A cancelled account that is active again: subscribers keep the data that they have not deleted yet. */
export const userReactivate = {
  type: 'user_reactivate',
  version: '1',
  summary: 'A cancelled account was reactivated',
  reportsTokens: true,
  own: () => ({
    ...changed('reactivated', 'Time at which the account was reactivated', ADMINISTRATOR),
    tokens_revived: amount('Number of API tokens that work again'),
    tokens_revoked: amount('Number of API tokens that were deleted'),
    ...memberships(),
  }),
  detail: (account, change, tokensRevoked: number) => ({
    ...changeOf('reactivated', change),
    tokens_revived: liveTokens(account, change.at),
    tokens_revoked: tokensRevoked,
    ...membershipsOf(account),
  }),
  sample: 0,
} as const satisfies AccountEvent<number>;

/** A new account. */
export const userCreate = {
  type: 'user_create',
  version: '1',
  summary: 'An account was created',
  own: () => ({
    ...changed('created', 'Time at which the account was created', ADMINISTRATOR),
    ...memberships(),
  }),
  detail: (account, change) => ({ ...changeOf('created', change), ...membershipsOf(account) }),
} as const satisfies AccountEvent;

/**
 * A lock by an administrator, or new terms of one. Temporary lockouts after failed logins publish no event, nor does the
 * end of a lock that has one.
 */
export const userLock = {
  type: 'user_lock',
  version: '1',
  summary: 'An administrator locked an account',
  own: () => ({
    ...changed('locked', 'Time at which the account was locked', ADMINISTRATOR),
    locked_until: z.optional(
      time('Time at which the lock ends by itself, which no event reports; absent without such an end'),
    ),
  }),
  detail: (_account, change, lockoutend: string) => ({
    ...changeOf('locked', change),
    ...(lockoutend === FOREVER ? {} : { locked_until: new Date(lockoutend).toISOString() }),
  }),
  sample: '2026-11-27T05:30:00.000+00:00',
} as const satisfies AccountEvent<string>;

/** An unlock by an administrator, of a lock or of a temporary lockout. */
export const userUnlock = {
  type: 'user_unlock',
  version: '1',
  summary: 'An administrator unlocked an account',
  own: () => changed('unlocked', 'Time at which the account was unlocked', ADMINISTRATOR),
  detail: (_account, change) => changeOf('unlocked', change),
} as const satisfies AccountEvent;

/** The proof that permitted a new password. */
export type PasswordProof = 'password' | 'code' | 'command';

/** A new password of an existing account; the event contains neither it nor its hash. */
export const passwordChange = {
  type: 'password_change',
  version: '1',
  summary: 'The password of an account was changed',
  own: () => ({
    ...changed('changed', 'Time at which the password was changed'),
    changed_with: z
      .enum(['password', 'code', 'command'])
      .check(z.describe('The current password, a one-time code, or a command of an operator')),
  }),
  detail: (_account, change, changed_with: PasswordProof) => ({
    ...changeOf('changed', change),
    changed_with,
  }),
  sample: 'password',
} as const satisfies AccountEvent<PasswordProof>;
