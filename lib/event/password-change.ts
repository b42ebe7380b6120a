import * as z from 'zod/mini';
import { type AccountEvent, text, time } from './account-event.ts';

/** The proof that permitted a new password. */
export type PasswordProof = 'password' | 'code' | 'command';

/** A new password of an existing account; the event contains neither it nor its hash. */
export const passwordChange = {
  type: 'password_change',
  version: '1',
  summary: 'The password of an account was changed',
  tells: [],
  own: () =>
    z.object({
      changed_at: time('Time at which the password was changed'),
      changed_by: text('Username, or `operator:<user>` for a command'),
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
