import { describe, expect, test } from 'vitest';
import { browse } from '#lib/account/contracts';
import { type DirectoryFilter, filterText, matcher } from '#lib/account/directory/filter';
import { type Account, FOREVER } from '#lib/item/account';
import { NOON } from '../../support/engine.ts';
import { errorsOf } from '../../support/errors-of.ts';

const CREATED = '2026-11-10T00:00:00.000';
const ADA = {
  username: 'Ada.L',
  user_first_name: 'Élodie',
  user_last_name: 'van Beck',
  isactive: true,
  lastActivity: '2026-11-19T12:00:00.000',
  created_at: CREATED,
  never_used: false,
  roles: ['sys_administrator', 'b'],
  apps: ['core'],
  teams: [{ team_short: 'Ops' }, { team_short: 'dev' }],
} as unknown as Account;
const YESTERDAY = NOON - 86_400_000;
const LOCKED = { lockoutend: FOREVER };

const meets = (filter: DirectoryFilter, part: Partial<Account> = {}) =>
  matcher(filter, NOON)?.({ ...ADA, ...part });

test.each<[DirectoryFilter, Partial<Account>?]>([
  [{ q: 'ada.' }],
  [{ q: 'ADA.L' }],
  [{ q: 'élo' }],
  [{ q: 'E\u0301LODIE' }],
  [{ q: 'VAN b' }],
  [{ state: 'active' }],
  [{ state: 'active' }, LOCKED],
  [{ state: 'cancelled' }, { isactive: false }],
  [{ state: 'locked' }, LOCKED],
  [{ state: 'locked' }, { ...LOCKED, isactive: false }],
  [{ state: 'locked' }, { lockoutend: '2026-11-20T12:00:00.001+00:00' }],
  [{ role: 'b' }],
  [{ team: 'oPS' }],
  [{ app: 'core' }],
  [{ inactive_since: YESTERDAY + 1 }],
  [{ never_used: false }],
  [{ never_used: true }, { never_used: true }],
  [{ q: 'a', role: 'b', team: 'dev', app: 'core', state: 'active', never_used: false }],
])('%j is met', (filter, part) => {
  expect(meets(filter, part)).toBe(true);
});

test.each<[DirectoryFilter, Partial<Account>?]>([
  [{ q: 'da' }],
  [{ q: 'beck' }],
  [{ q: 'ada.l.' }],
  [{ state: 'active' }, { isactive: false }],
  [{ state: 'cancelled' }],
  [{ state: 'locked' }],
  [{ state: 'locked' }, { lockoutend: '2026-11-20T12:00:00.000+00:00' }],
  [{ role: 'B' }],
  [{ role: 'sys_' }],
  [{ team: 'op' }],
  [{ app: 'Core' }],
  [{ inactive_since: YESTERDAY }],
  [{ never_used: true }],
  [{ never_used: false }, { never_used: true }],
  [{ q: 'a', role: 'b', team: 'none' }],
])('%j is not met', (filter, part) => {
  expect(meets(filter, part)).toBe(false);
});

test('an account of an earlier version was never used where its last activity is its creation', () => {
  const { never_used: _, ...old } = ADA;
  const isMet = (account: Account) => matcher({ never_used: true }, NOON)?.(account);
  expect([isMet(old), isMet({ ...old, lastActivity: CREATED })]).toEqual([false, true]);
});

describe('a filter', () => {
  test('that asks for nothing is none', () => {
    for (const nothing of [{}, { q: undefined, role: undefined }])
      expect([matcher(nothing, NOON), filterText(nothing)]).toEqual([undefined, undefined]);
  });

  test('is the same text in whatever order, and another for another', () => {
    expect(filterText({ q: 'a', role: 'b' })).toBe(filterText({ role: 'b', app: undefined, q: 'a' }));
    const all = [{ q: 'a' }, { q: 'b' }, { role: 'a' }, { q: 'a', role: 'a' }, { cancelled_since: 1 }];
    expect(new Set(all.map(filterText)).size).toBe(all.length);
  });
});

describe('the query of the directory', () => {
  const fieldsAtFault = (query: object) => errorsOf(browse.query(), query).map(({ field }) => field);

  test.each([
    ['q', ''],
    ['q', 'x'.repeat(129)],
    ['state', ''],
    ['state', 'Active'],
    ['role', ''],
    ['role', 'a b'],
    ['team', ''],
    ['app', 'a/b'],
    ['inactive_since', 'yesterday'],
    ['never_used', ''],
    ['never_used', 'yes'],
    ['filter', 'x'],
  ])('may not have %s=%j', (name, value) => {
    expect(fieldsAtFault({ [name]: value })).toEqual([name]);
  });

  test('cannot ask for the active among the cancelled', () => {
    const cancelled_since = '2026-11-20T12:00:00Z';
    expect(fieldsAtFault({ cancelled_since, state: 'active' })).toEqual(['state']);
    expect(fieldsAtFault({ cancelled_since, state: 'locked' })).toEqual([]);
  });
});
