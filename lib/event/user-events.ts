import * as z from 'zod/mini';
import { type Account, FOREVER, liveTokens } from '../item/account.ts';
import type { EventDefinition } from './event.ts';
import { ADMINISTRATOR, amount, changed, changeOf, text, texts, time, uuid } from './fields.ts';

const memberships = () => ({
  teams: z
    .array(
      z.object({
        team_id: uuid('Team ID; never changes'),
        team_short: text('Short name, unique among teams'),
      }),
    )
    .check(z.describe('Teams of the account')),
  roles: texts('Roles of the account'),
});
/** The values of the fields of {@link memberships}. */
const membershipsOf = ({ teams, roles }: Account) => ({
  teams: teams.map(({ team_id, team_short }) => ({ team_id, team_short })),
  roles: [...roles],
});

/** A cancelled account: subscribers delete its data. */
export const user_cancel = {
  type: 'user_cancel',
  version: '1',
  subject: 'account',
  summary: 'An account was cancelled',
  own: () => ({
    ...changed('cancelled', 'Time at which the account was cancelled', ADMINISTRATOR),
    ...memberships(),
  }),
  detail: (account, occurrence) => ({ ...changeOf('cancelled', occurrence), ...membershipsOf(account) }),
} as const satisfies EventDefinition<'account'>;

/** A cancelled account that is active again: subscribers keep the data that they have not deleted yet. */
export const user_reactivate = {
  type: 'user_reactivate',
  version: '1',
  subject: 'account',
  summary: 'A cancelled account was reactivated',
  own: () => ({
    ...changed('reactivated', 'Time at which the account was reactivated', ADMINISTRATOR),
    tokens_revived: amount('Number of API tokens that work again'),
    tokens_revoked: amount('Number of API tokens that were deleted'),
    ...memberships(),
  }),
  detail: (account, occurrence, tokensRevoked: number) => ({
    ...changeOf('reactivated', occurrence),
    tokens_revived: liveTokens(account, occurrence.at),
    tokens_revoked: tokensRevoked,
    ...membershipsOf(account),
  }),
  // Tokens come and go without a transition.
  expected: ({ token_count, token_ends }) => ({ token_count, token_ends }),
  sample: 0,
} as const satisfies EventDefinition<'account', number>;

/** An erased account, which the event does not name: subscribers forget the person. */
export const user_erase = {
  type: 'user_erase',
  version: '1',
  subject: 'erasure',
  summary: 'An account was erased',
  own: () => ({
    erased_at: time('Time at which the account was erased; nothing of it comes back'),
  }),
  detail: (_account, { at }) => ({ erased_at: new Date(at).toISOString() }),
} as const satisfies EventDefinition<'erasure'>;

export const user_create = {
  type: 'user_create',
  version: '1',
  subject: 'account',
  summary: 'An account was created',
  own: () => ({
    ...changed('created', 'Time at which the account was created', ADMINISTRATOR),
    ...memberships(),
  }),
  detail: (account, occurrence) => ({ ...changeOf('created', occurrence), ...membershipsOf(account) }),
} as const satisfies EventDefinition<'account'>;

/**
 * A lock by an administrator, or new terms of one. Temporary lockouts after failed logins publish no event, nor does the
 * end of a lock that has one.
 */
export const user_lock = {
  type: 'user_lock',
  version: '1',
  subject: 'account',
  summary: 'An administrator locked an account',
  own: () => ({
    ...changed('locked', 'Time at which the account was locked', ADMINISTRATOR),
    locked_until: z.optional(
      time('Time at which the lock ends by itself, which no event reports; absent without such an end'),
    ),
  }),
  detail: (_account, occurrence, lockoutend: string) => ({
    ...changeOf('locked', occurrence),
    ...(lockoutend === FOREVER ? {} : { locked_until: new Date(lockoutend).toISOString() }),
  }),
  sample: '2026-11-27T05:30:00.000+00:00',
} as const satisfies EventDefinition<'account', string>;

/** An unlock by an administrator, of a lock or of a temporary lockout. */
export const user_unlock = {
  type: 'user_unlock',
  version: '1',
  subject: 'account',
  summary: 'An administrator unlocked an account',
  own: () => changed('unlocked', 'Time at which the account was unlocked', ADMINISTRATOR),
  detail: (_account, occurrence) => changeOf('unlocked', occurrence),
} as const satisfies EventDefinition<'account'>;

/** The proof that permitted a new password. */
export type PasswordProof = 'password' | 'code' | 'command';

/** A new password of an existing account; the event contains neither it nor its hash. */
export const password_change = {
  type: 'password_change',
  version: '1',
  subject: 'account',
  summary: 'The password of an account was changed',
  own: () => ({
    ...changed('changed', 'Time at which the password was changed'),
    changed_with: z
      .enum(['password', 'code', 'command'])
      .check(z.describe('The current password, a one-time code, or a command of an operator')),
  }),
  detail: (_account, occurrence, changed_with: PasswordProof) => ({
    ...changeOf('changed', occurrence),
    changed_with,
  }),
  sample: 'password',
} as const satisfies EventDefinition<'account', PasswordProof>;
