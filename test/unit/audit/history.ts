import { type AuditEntry, tokenSubject } from '#lib/item/audit-entry';
import { DAY_MS } from '#lib/time';
import { NOON } from '../support/items.ts';

/** A token, and an account whose name has the form of one. */
export const TOKEN = tokenSubject('ci', 'user-1');
export const TOKEN_LIKE = 'eve@user-1';

/** An entry of a time, with values that differ by `n`. */
export const entryAt = (time: number, n: number): AuditEntry => ({
  time: new Date(time).toISOString(),
  actor: n % 3 === 0 ? 'admin' : n % 11 === 0 ? null : 'ada',
  credential: null,
  action: n % 5 === 0 ? 'admin account lock' : 'account.lock',
  target: n % 7 === 0 ? null : n % 2 === 0 ? `user-${n % 4}` : n % 3 === 0 ? TOKEN_LIKE : TOKEN.target,
  outcome: n % 4 === 0 ? 'account_locked' : 'ok',
  changed: n % 4 !== 0,
  details: n % 2 === 0 ? { fields: ['user_color'] } : null,
  source: '203.0.113.7',
  requestId: `request-${n}`,
});

/** The line of an entry in a log. */
export const lineOf = (entry: AuditEntry) =>
  JSON.stringify({ level: 'audit', ...entry, ...(entry.target === TOKEN.target && TOKEN) });

/** Entries of 90 days, newest first: three parts of a busy hour, then quiet weeks, then one part spread over the rest. */
export function historyOf(count: number): AuditEntry[] {
  const busy = Math.floor(count * 0.75);
  const spread = Math.floor((39 * DAY_MS) / (count - busy));
  return Array.from({ length: count }, (_, n) =>
    entryAt(
      n < busy ? NOON - Math.floor((n * 3_600_000) / busy) : NOON - 50 * DAY_MS - (n - busy) * spread,
      n,
    ),
  );
}
