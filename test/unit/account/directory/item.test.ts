import { describe, expect, test } from 'vitest';
import {
  changedItem,
  DIRECTORY_FIELDS,
  directoryItem,
  directoryItemSchema,
} from '#lib/account/directory/item';
import type { Account } from '#lib/item/account';
import { NOON } from '../../support/engine.ts';

const membership = (n: number) => ({
  team_id: `0190a6e0-0000-7000-8000-00000000000${n}`,
  team_short: `t${n}`,
  team_name: `Team ${n}`,
  team_type: 'internal',
  teamuser_lvl: null,
});

/** An account of which no two fields are alike. */
const ACCOUNT: Account = {
  id: '0190a6e0-0000-7000-8000-0000000000aa',
  username: 'Ada.Lovelace',
  stamp: '0190a6e0-0000-7000-8000-0000000000bb',
  isactive: true,
  lockoutenabled: false,
  failures_cleared_at: 7,
  lastActivity: '2026-11-19T01:02:03.004',
  roles: ['a', 'b', 'c'],
  apps: ['billing', 'core'],
  teams: [membership(1), membership(2)],
  token_count: 5,
  emailconfirmed: true,
  team_id: membership(1).team_id,
  team_name: 'Team 1',
  user_app_name: 'billing',
  user_home: '/home',
  user_avatar: '/avatar.png',
  created_at: '2025-01-01T00:00:00.000',
  phonenumber: '+43 1 234',
  user_first_name: 'Ada',
  user_last_name: 'Lovelace',
  user_color: '#A1B2C3',
  user_short: 'AdLo',
  user_currency: 'CHF',
};

const ITEM = {
  username: 'Ada.Lovelace',
  emailconfirmed: true,
  phonenumber: '+43 1 234',
  user_first_name: 'Ada',
  user_last_name: 'Lovelace',
  user_color: '#A1B2C3',
  user_short: 'AdLo',
  user_currency: 'CHF',
  team_id: '0190a6e0-0000-7000-8000-000000000001',
  team_name: 'Team 1',
  user_app_name: 'billing',
  user_home: '/home',
  id: '0190a6e0-0000-7000-8000-0000000000aa',
  lockoutenabled: false,
  isactive: true,
  lastActivity: '2026-11-19T01:02:03.004',
  user_avatar: '/avatar.png',
  islocked: false,
  lockoutend: null,
  lockoutending: null,
  teams: 2,
  roles: 3,
  created_at: '2025-01-01T00:00:00.000Z',
  cancelled_at: null,
  cancelled_by: null,
};

test('a directory item has exactly these fields, in this order', () => {
  expect(JSON.stringify(directoryItem(ACCOUNT, NOON))).toBe(JSON.stringify(ITEM));
});

describe('a directory item shows a lockout', () => {
  test.each([
    ['for good', '9999-12-31T23:59:59+00:00', '9999-12-31T23:59:59Z'],
    ['for a time', '2026-11-20T12:00:00.001+00:00', '2026-11-20T12:00:00.001Z'],
  ])('%s, with its end in both spellings', (_what, lockoutend, lockoutending) => {
    expect(directoryItem({ ...ACCOUNT, lockoutend }, NOON)).toEqual({
      ...ITEM,
      islocked: true,
      lockoutend,
      lockoutending,
    });
  });

  test('no more once it has ended', () => {
    expect(directoryItem({ ...ACCOUNT, lockoutend: '2026-11-20T12:00:00.000+00:00' }, NOON)).toEqual(ITEM);
  });
});

test('a change of state answers the item, and whether there was a change', () => {
  for (const changed of [true, false])
    expect(changedItem({ account: ACCOUNT, changed }, NOON)).toEqual({ ...ITEM, changed });
  const locked = { ...ACCOUNT, lockoutend: '2026-11-20T12:00:00.001+00:00' };
  expect(changedItem({ account: locked, changed: true }, NOON)).toMatchObject({ islocked: true });
});

test('a directory item says when it was cancelled, and by whom', () => {
  const cancelled = { cancelled_at: '2026-11-20T12:00:00.000Z', cancelled_by: 'Root' };
  expect(directoryItem({ ...ACCOUNT, ...cancelled }, NOON)).toEqual({ ...ITEM, ...cancelled });
  expect(directoryItemSchema().safeParse({ ...ITEM, ...cancelled }).success).toBe(true);
});

describe('the schema of a directory item', () => {
  test('takes what the directory lists', () => {
    expect(directoryItemSchema().safeParse(ITEM).success).toBe(true);
    const nothing = { user_avatar: null, user_home: null };
    expect(directoryItemSchema().safeParse({ ...ITEM, ...nothing }).success).toBe(true);
  });

  test('has exactly its fields', () => {
    expect(Object.keys(directoryItemSchema().shape)).toEqual(Object.keys(ITEM));
    expect(directoryItemSchema().safeParse({ ...ITEM, stamp: 'x' }).success).toBe(false);
  });
});

test('the fields that it has of the account are those of its schema, in that order', () => {
  const names = Object.keys(directoryItemSchema().shape);
  expect(names.slice(0, DIRECTORY_FIELDS.length)).toEqual(DIRECTORY_FIELDS);
});
