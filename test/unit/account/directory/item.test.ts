import { expect, test } from 'vitest';
import { changedItem, directoryItem } from '#lib/account/directory/item';
import { type Account, FOREVER } from '#lib/item/account';
import { withOffset } from '#lib/time';
import { NOON } from '../../support/engine.ts';
import { accountItem, membership, SHOWN_FIELDS, uuidOf } from '../../support/items.ts';

/** The fields of the account that the directory shows, no two of them alike. */
const SHOWN = {
  ...SHOWN_FIELDS,
  id: uuidOf(4),
  lockoutenabled: false,
  isactive: true,
  lastActivity: '2026-11-19T01:02:03.004',
  user_avatar: '/avatar.png',
};
const ACCOUNT = accountItem({
  ...SHOWN,
  roles: ['a', 'b', 'c'],
  teams: [membership(1), membership(2)],
  token_count: 5,
  token_ends: [NOON, NOON + 1],
  trusts: { deploy: uuidOf(8) },
  created_at: '2025-01-01T00:00:00.000',
});
const ITEM = {
  ...SHOWN,
  islocked: false,
  lockoutend: null,
  lockoutending: null,
  teams: 2,
  roles: 3,
  tokens: 4,
  trusts: 1,
  created_at: '2025-01-01T00:00:00.000Z',
  cancelled_at: null,
  cancelled_by: null,
  erasable_from: null,
  lock_reason: null,
  kind: 'person',
  owner: null,
  password_set: true,
  code_expires_at: null,
};
const WEEK = { ErasureAfterDays: 7 };

test('directoryItem has exactly these fields in this order', () => {
  expect(JSON.stringify(directoryItem(ACCOUNT, NOON, WEEK))).toBe(JSON.stringify(ITEM));
});

test.each([
  [FOREVER, '9999-12-31T23:59:59Z'],
  [withOffset(NOON + 1), '2026-11-20T12:00:00.001Z'],
])('directoryItem shows a lockout until %s in both spellings', (lockoutend, lockoutending) => {
  const locked = { ...ACCOUNT, lockoutend };
  const expected = { ...ITEM, islocked: true, lockoutend, lockoutending };
  expect(directoryItem(locked, NOON, WEEK)).toEqual(expected);
  for (const changed of [true, false])
    expect(changedItem({ account: locked, changed }, NOON, WEEK)).toEqual({ ...expected, changed });
});

test('directoryItem shows the reason of a lock, until it ends', () => {
  const locked = { ...ACCOUNT, lockoutend: withOffset(NOON), lock_reason: 'fraud' };
  expect(directoryItem(locked, NOON - 1, WEEK)).toMatchObject({ islocked: true, lock_reason: 'fraud' });
  expect(directoryItem({ ...locked, lock_reason: '' }, NOON - 1, WEEK).lock_reason).toBeNull();
  expect(directoryItem(locked, NOON, WEEK)).toEqual(ITEM);
});

test.each([
  ['7 days after its cancellation', '2026-11-20T12:00:00.000Z', WEEK, '2026-11-27T12:00:00.000Z'],
  ['at once', '2026-11-20T12:00:00.000Z', { ErasureAfterDays: 0 }, '2026-11-20T12:00:00.000Z'],
  ['since its creation, without a time of its cancellation', undefined, WEEK, '2025-01-01T00:00:00.000Z'],
])('directoryItem shows a cancelled account as erasable %s', (_, cancelled_at, settings, erasable_from) => {
  const { cancelled_at: __, ...cancelled } = { ...ACCOUNT, isactive: false };
  const account = cancelled_at === undefined ? cancelled : { ...cancelled, cancelled_at };
  expect(directoryItem(account, NOON, settings)).toMatchObject({ erasable_from });
});

test.each<[string, boolean, Partial<Account>]>([
  ['a password', true, { password_set: true }],
  ['no password', false, { password_set: false }],
  ['a password, until something finds out, of an earlier version', true, {}],
  ['no password of a machine', false, { password_set: true, kind: 'machine' }],
])('directoryItem shows %s', (_, password_set, part) => {
  expect(directoryItem({ ...ACCOUNT, ...part }, NOON, WEEK)).toMatchObject({ password_set });
});

const CODE = { until: NOON, made_at: NOON - 1, stamp: ACCOUNT.stamp };
const END = new Date(NOON).toISOString();

test.each<[string, string | null, Partial<Account>]>([
  ['the end of a code before it', END, {}],
  ['the end of a code during a lockout by failed logins', END, { lockoutend: withOffset(NOON + 1) }],
  ['no code of another stamp', null, { stamp: 'later' }],
  ['no code of a cancelled account', null, { isactive: false }],
  ['no code of a machine', null, { kind: 'machine' }],
  ['the end of its own code', END, { open_code: { ...CODE, own_generation: 0 } }],
  [
    'no code of its own after a remedy',
    null,
    { open_code: { ...CODE, own_generation: 0 }, code_generation: 1 },
  ],
])('directoryItem shows %s', (_, code_expires_at, part) => {
  const account = { ...ACCOUNT, open_code: CODE, ...part };
  for (const time of [NOON - 1, NOON, NOON + 1])
    expect(directoryItem(account, time, WEEK)).toMatchObject({ code_expires_at });
});
