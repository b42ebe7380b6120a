import { expect, test } from 'vitest';
import { contract as browse } from '#lib/account/directory/browse.contract';
import { type DirectoryFilter, matcher } from '#lib/account/directory/filter';
import { type Account, FOREVER } from '#lib/item/account';
import { pseudonymOf } from '#lib/item/erasure';
import { filterText } from '#lib/table/listing';
import { DAY_MS, withOffset, withoutZone } from '#lib/time';
import { NOON } from '../../support/engine.ts';
import { errorsOf, fieldsAtFault } from '../../support/errors-of.ts';
import { accountItem, membership } from '../../support/items.ts';

const YESTERDAY = NOON - DAY_MS;
const ADA = accountItem({
  username: 'Ada.L',
  user_first_name: 'Élodie',
  user_last_name: 'van Beck',
  lastActivity: withoutZone(YESTERDAY),
  never_used: false,
  roles: ['sys_administrator', 'b'],
  teams: [membership(1, { team_short: 'Ops' }), membership(2, { team_short: 'dev' })],
});
const CHINESE = { user_first_name: '小明', user_last_name: '王' };
const LOCKED = { lockoutend: FOREVER };
const CANCELLED = { isactive: false };
const MACHINE = { kind: 'machine', owner: 'bea' } as const;
const codeUntil = (until: number) => ({ until, made_at: YESTERDAY, stamp: ADA.stamp });
const INVITED = { password_set: false, open_code: codeUntil(NOON + 1) };
const EXPIRED = { password_set: false, open_code: codeUntil(NOON) };
const ERASED = pseudonymOf('0199c3f0-5a10-7d3e-9c41-2b7c1f6e8a01');

test.each<[boolean, DirectoryFilter, Partial<Account>?]>([
  [true, { q: 'ADA.' }],
  [true, { q: 'élo' }],
  [true, { q: 'E\u0301LODIE' }],
  [true, { q: 'VAN b' }],
  [true, { q: 'da' }],
  [true, { q: 'BECK' }],
  [true, { q: ' beck ada.' }],
  [true, { q: 'Elodie' }],
  [true, { q: 'mueller elodie' }, { user_last_name: 'Müller' }],
  [true, { q: '王小明' }, CHINESE],
  [true, { q: '小明王' }, CHINESE],
  [true, { q: '王小' }, CHINESE],
  [true, { q: '小明 王' }, CHINESE],
  [true, { q: '\u200b王\u200b小明\u3000' }, CHINESE],
  [true, { q: '김민수' }, { user_last_name: '김', user_first_name: '민 수' }],
  [true, { q: 'vanbeckelodie' }],
  [true, { q: 'ÉlodieVanB' }],
  [true, { q: 'MuellerOBrien' }, { user_last_name: 'Müller', user_first_name: 'OBrien' }],
  [true, { q: 'obrien’s' }, { user_last_name: "O'Briens", user_first_name: "OBrien's" }],
  [false, { q: '明王' }, CHINESE],
  [false, { q: 'beckelodie' }],
  [false, { q: 'eva' }],
  [false, { q: 'ada.lvanbeck' }],
  [false, { q: 'beck bob' }],
  [false, { q: 'adal' }],
  [false, { q: 'ada.l.' }],
  [true, { state: 'active' }],
  [true, { state: 'active' }, LOCKED],
  [false, { state: 'active' }, CANCELLED],
  [true, { state: 'cancelled' }, CANCELLED],
  [false, { state: 'cancelled' }],
  [true, { state: 'locked' }, LOCKED],
  [true, { state: 'locked' }, { ...LOCKED, ...CANCELLED }],
  [false, { state: 'locked' }],
  [true, { state: 'invited' }, INVITED],
  [true, { state: 'invited', kind: 'person', q: 'beck' }, INVITED],
  // A code works during a lockout by failed logins.
  [true, { state: 'invited' }, { ...INVITED, lockoutend: withOffset(NOON + 1) }],
  [false, { state: 'invited' }, { ...INVITED, ...LOCKED }],
  [false, { state: 'invited' }, { ...INVITED, ...CANCELLED }],
  [false, { state: 'invited' }, { ...INVITED, ...MACHINE }],
  [false, { state: 'invited' }, { ...INVITED, password_set: true }],
  [false, { state: 'invited' }, { ...INVITED, stamp: 'later' }],
  [false, { state: 'invited' }, EXPIRED],
  // Earlier versions did not note whether an account has a password.
  [false, { state: 'invited' }, { ...INVITED, password_set: undefined as never }],
  [false, { state: 'invited' }, { password_set: false }],
  [true, { state: 'code_expired' }, EXPIRED],
  [true, { state: 'code_expired' }, { ...EXPIRED, lockoutend: withOffset(NOON + 1) }],
  [false, { state: 'code_expired' }, { ...EXPIRED, ...LOCKED }],
  [false, { state: 'code_expired' }, { ...EXPIRED, ...CANCELLED }],
  [false, { state: 'code_expired' }, { ...EXPIRED, password_set: true }],
  [false, { state: 'code_expired' }, INVITED],
  [false, { state: 'code_expired' }, { password_set: false }],
  [true, { state: 'never_used' }, { never_used: true }],
  [true, { state: 'never_used' }, { never_used: true, ...LOCKED }],
  [false, { state: 'never_used' }, { never_used: true, ...CANCELLED }],
  [false, { state: 'never_used' }],
  [true, { role: 'b' }],
  [false, { role: 'B' }],
  [false, { role: 'sys_' }],
  [true, { team: 'oPS' }],
  [false, { team: 'op' }],
  [true, { app: 'core' }],
  [false, { app: 'Core' }],
  [true, { inactive_since: YESTERDAY + 1 }],
  [false, { inactive_since: YESTERDAY }],
  [true, { never_used: false }],
  [false, { never_used: true }],
  [true, { never_used: true }, { never_used: true }],
  // Earlier versions did not note whether an account was used.
  [false, { never_used: true }, { never_used: undefined as never }],
  [true, { never_used: true }, { never_used: undefined as never, lastActivity: ADA.created_at }],
  [false, { owner: 'Ada.L' }],
  [true, { owner: 'BEA' }, MACHINE],
  [false, { owner: 'be' }, MACHINE],
  [true, { owner: ERASED }, { ...MACHINE, owner: ERASED }],
  [true, { q: 'a', role: 'b', team: 'dev', app: 'core', state: 'active', never_used: false }],
  [false, { q: 'a', role: 'b', team: 'none' }],
])('matcher returns %j for the filter %j and the account %j', (expected, filter, part) => {
  expect(matcher(filter, NOON)?.({ ...ADA, ...part })).toBe(expected);
});

test('matcher and filterText return undefined for an empty filter', () => {
  for (const nothing of [{}, { q: undefined, role: undefined }])
    expect([matcher(nothing, NOON), filterText(nothing)]).toEqual([undefined, undefined]);
});

test('the query of account.browse names the states', () => {
  const message = 'Must be one of active, cancelled, locked, invited, code_expired, never_used';
  expect(errorsOf(browse.query(), { state: 'Active' })).toEqual([{ field: 'state', message }]);
});

test('filterText is the same for the same filter in any order, and differs for others', () => {
  expect(filterText({ q: 'a', role: 'b' })).toBe(filterText({ role: 'b', app: undefined, q: 'a' }));
  const all = [{ q: 'a' }, { q: 'b' }, { role: 'a' }, { q: 'a', role: 'a' }, { cancelled_since: 1 }];
  expect(new Set(all.map(filterText)).size).toBe(all.length);
});

test.each([
  ['q', ''],
  ['q', ' '],
  ['q', 'x'.repeat(129)],
  ['role', 'a b'],
  ['team', ''],
  ['team', 'x'.repeat(33)],
  ['team', 'a b'],
  ['app', 'a/b'],
  ['inactive_since', 'yesterday'],
  ['cancelled_since', '20.11.2026'],
  ['never_used', 'yes'],
  ['owner', ''],
  ['owner', 'x'.repeat(257)],
  ['username', 'a b'],
  ['filter', 'x'],
])('the query of account.browse refuses %s=%j', (name, value) => {
  expect(fieldsAtFault(browse.query(), { [name]: value })).toEqual([name]);
});

test('the query of account.browse accepts the longest texts, and no active accounts among the cancelled', () => {
  const longest = { q: 'x'.repeat(128), team: 'x'.repeat(32), never_used: 'true' };
  const query = { ...longest, cancelled_since: '2026-11-20T14:00:00+02:00' };
  expect(errorsOf(browse.query(), { ...query, state: 'locked' })).toEqual([]);
  for (const state of ['active', 'invited', 'code_expired', 'never_used'])
    expect(errorsOf(browse.query(), { ...query, state })).toEqual([
      { field: 'state', message: `Cannot be ${state} with cancelled_since` },
    ]);
});

test.each([{ owner: 'Ada' }, { owner_gone: 'true' }])(
  'the query of account.browse accepts %j of machines, but not of persons',
  (of) => {
    for (const kind of [{}, { kind: 'machine' }])
      expect(errorsOf(browse.query(), { ...of, ...kind })).toEqual([]);
    expect(errorsOf(browse.query(), { ...of, kind: 'person' })).toEqual([
      { field: 'kind', message: 'Cannot be person with owner or owner_gone' },
    ]);
  },
);

test('the query of account.browse accepts a username with a limit only', () => {
  expect(errorsOf(browse.query(), { username: 'Ada', limit: '1' })).toEqual([]);
  for (const other of [{ cursor: 'x' }, { q: 'a' }, { cancelled_since: '2026-11-20T14:00:00Z' }])
    expect(fieldsAtFault(browse.query(), { username: 'Ada', ...other })).toEqual(['username']);
});
