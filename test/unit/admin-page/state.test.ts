import { expect, test } from 'vitest';
import { isLocked, stateOf } from '../../../infra/admin-page/accounts/state.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const [EARLIER, LATER] = ['2026-11-30T11:59:59Z', '2026-11-30T12:00:01Z'];

const USED = { created_at: '2026-01-01T00:00:00Z', lastActivity: '2026-02-01T00:00:00', password_set: true };
const UNUSED = { ...USED, lastActivity: '2026-01-01T00:00:00' };
const NO_PASSWORD = { ...UNUSED, password_set: false };

const account = (values: object) =>
  ({ isactive: true, islocked: false, code_expires_at: null, ...values }) as unknown as Parameters<
    typeof stateOf
  >[0];

test.each<[string, string, object]>([
  ['active', 'an account that was used', USED],
  ['active', 'one with a code for a new password', { ...USED, code_expires_at: LATER }],
  ['active', 'one with a password whose code has ended', { ...USED, code_expires_at: EARLIER }],
  ['active', 'one that was used by API tokens only, without a code', { ...USED, password_set: false }],
  ['active', 'one whose lock has ended since', { ...USED, islocked: true, lockoutending: EARLIER }],
  ['invited', 'one without a password whose code works', { ...NO_PASSWORD, code_expires_at: LATER }],
  [
    'code_expired',
    'one without a password whose code ends now',
    { ...NO_PASSWORD, code_expires_at: new Date(NOW).toISOString() },
  ],
  [
    'code_expired',
    'one that API tokens use, but that has no other way in',
    { ...USED, password_set: false, code_expires_at: EARLIER },
  ],
  ['never_used', 'one with a password that was never used', UNUSED],
  ['never_used', 'one without a password and without a code', NO_PASSWORD],
  [
    'locked',
    'an invited one with a lock',
    { ...NO_PASSWORD, code_expires_at: LATER, islocked: true, lockoutending: LATER },
  ],
  ['locked', 'one with a lock without an end', { ...USED, islocked: true, lockoutending: null }],
  [
    'cancelled',
    'a locked one that is cancelled',
    { ...USED, isactive: false, islocked: true, lockoutending: LATER },
  ],
])('the state is %s for %s', (state, _what, values) => {
  expect(stateOf(account(values), NOW)).toBe(state);
});

test('a cancelled account can be locked, too', () => {
  expect(isLocked(account({ isactive: false, islocked: true, lockoutending: LATER }), NOW)).toBe(true);
});
