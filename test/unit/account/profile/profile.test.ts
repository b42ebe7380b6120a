import { describe, expect, test } from 'vitest';
import { profile } from '#lib/account/contracts';
import { profileUser, readProfile } from '#lib/account/profile/profile';
import { PROFILE_PARTS, type ProfilePart } from '#lib/account/profile/schema';
import { putProperties } from '#lib/account/properties';
import type { Account } from '#lib/item/account';
import { transact } from '#lib/table/write';
import { NOON, openTestTable } from '../../support/engine.ts';
import { errorsOf } from '../../support/errors-of.ts';

const { table, runtime, account, operations, wire } = await openTestTable({
  ApiUrl: 'https://api.example.com',
  OwnerName: 'Owner',
});

const TEAM = {
  team_id: '0190a6e0-0000-7000-8000-000000000001',
  team_short: 't1',
  team_name: 'Team 1',
  team_type: 'internal',
  teamuser_lvl: null,
};

/** An account of which no two fields are alike. */
const ACCOUNT: Account = {
  id: '0190a6e0-0000-7000-8000-0000000000aa',
  username: 'Ada.Lovelace',
  stamp: '0190a6e0-0000-7000-8000-0000000000bb',
  isactive: true,
  lockoutenabled: false,
  lastActivity: '2026-11-19T01:02:03.004',
  roles: ['a', 'b', 'c'],
  apps: ['billing', 'core'],
  // DynamoDB returns the attributes of a map in any order.
  teams: [Object.fromEntries(Object.entries(TEAM).reverse()) as typeof TEAM],
  token_count: 5,
  emailconfirmed: true,
  team_id: TEAM.team_id,
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

const USER = {
  username: 'Ada.Lovelace',
  emailconfirmed: true,
  phonenumber: '+43 1 234',
  user_first_name: 'Ada',
  user_last_name: 'Lovelace',
  user_color: '#A1B2C3',
  user_short: 'AdLo',
  user_currency: 'CHF',
  team_id: TEAM.team_id,
  team_name: 'Team 1',
  user_app_name: 'billing',
  user_home: '/home',
  isactive: true,
  islocked: false,
};

const INSTANCE = {
  'kv.v.api.version': '1.0.0',
  'kv.v.api.url': 'https://api.example.com',
  'kv.v.owner.name': 'Owner',
};

const WHOLE = {
  instance: INSTANCE,
  user: { ...USER, user_properties: { root: {} } },
  teams: [TEAM],
  roles: ['a', 'b', 'c'],
  apps: ['billing', 'core'],
};

test('the primary user object has exactly these fields, in this order', () => {
  expect(JSON.stringify(profileUser(ACCOUNT, { root: { x: 1 }, y: 2 }, NOON))).toBe(
    JSON.stringify({ ...USER, user_properties: { root: { x: 1 }, y: 2 } }),
  );
});

test('the user is locked until its lockout ends, and may be cancelled', () => {
  const lockoutend = '2026-11-20T12:00:00.001+00:00';
  const user = (now: number) => profileUser({ ...ACCOUNT, isactive: false, lockoutend }, { root: {} }, now);
  expect(user(NOON)).toMatchObject({ isactive: false, islocked: true });
  expect(user(NOON + 1)).toMatchObject({ isactive: false, islocked: false });
});

describe('a profile', () => {
  test('has all parts unless told, with their fields in order', async () => {
    const whole = await readProfile(runtime, ACCOUNT, undefined);
    expect(JSON.stringify(whole)).toBe(JSON.stringify(WHOLE));
    expect(errorsOf(profile.response(), whole)).toEqual([]);
  });

  test('shows the properties of the account', async () => {
    const ada = await account();
    await transact(table, [putProperties(ada.username, { root: { theme: 'dark' }, more: [] })]);
    const { user } = await readProfile(runtime, ada, ['user']);
    expect(user).toEqual(profileUser(ada, { root: { theme: 'dark' }, more: [] }, NOON));
  });

  test('takes one read', async () => {
    const ada = await account();
    wire.reset();
    await readProfile(runtime, ada, undefined);
    expect(operations()).toEqual(['GetItem']);
  });
});

describe('of a profile', () => {
  test.each<[ProfilePart[], ProfilePart[]]>([
    [['user'], ['user']],
    [['instance'], ['instance', 'user']],
    [['teams'], ['instance', 'user', 'teams']],
    [['roles'], ['instance', 'user', 'roles']],
    [['apps'], ['instance', 'user', 'apps']],
    [
      ['user', 'apps'],
      ['instance', 'user', 'apps'],
    ],
    [
      ['user', 'user'],
      ['instance', 'user'],
    ],
    [
      ['apps', 'roles', 'teams'],
      ['instance', 'user', 'teams', 'roles', 'apps'],
    ],
    [[], ['instance', 'user']],
    [[...PROFILE_PARTS], [...PROFILE_PARTS]],
  ])('%j selects %j', async (asked, parts) => {
    const answer = await readProfile(runtime, ACCOUNT, asked);
    expect(Object.keys(answer)).toEqual(parts);
    expect(WHOLE).toMatchObject(answer);
    expect(errorsOf(profile.response(), answer)).toEqual([]);
  });
});
