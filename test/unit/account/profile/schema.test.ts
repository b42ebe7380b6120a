import { describe, expect, test } from 'vitest';
import { context, profile, profileUpdate } from '#lib/account/contracts';
import {
  PROFILE_PARTS,
  profileSchema,
  profileUpdateSchema,
  pscope,
  userSchema,
} from '#lib/account/profile/schema';
import { errorsOf } from '../../support/errors-of.ts';

const PARTS = 'Must be of instance, user, teams, roles, apps';
const NAME = 'Must be 1 to 128 letters, digits or . _ @ + -';
const ID = '0190a6e0-0000-7000-8000-000000000001';

test('a profile has five parts', () => {
  expect(PROFILE_PARTS).toEqual(['instance', 'user', 'teams', 'roles', 'apps']);
});

describe('pscope', () => {
  test.each([
    ['user', ['user']],
    ['teams,roles,apps', ['teams', 'roles', 'apps']],
    [' user , instance ', ['user', 'instance']],
  ])('%j names %j', (text, parts) => {
    expect(pscope().parse(text)).toEqual(parts);
  });

  test.each(['', ',', 'user,', 'user teams', 'USER', 'secrets', 'user,secrets', 'constructor'])(
    '%j is refused',
    (text) => {
      expect(errorsOf(pscope(), text)).toEqual([{ field: 'body', message: PARTS }]);
    },
  );
});

describe('a profile update may change', () => {
  test.each<[string, object]>([
    ['nothing', {}],
    [
      'all fields',
      {
        username: 'ada',
        phonenumber: '1'.repeat(64),
        user_first_name: 'x'.repeat(128),
        user_last_name: '',
        user_color: '#a1B2c3',
        user_short: '12345678',
        user_currency: 'CHF',
        team_id: ID,
        user_properties: { root: {} },
      },
    ],
    ['to a team by its id in upper case', { team_id: ID.toUpperCase() }],
  ])('%s', (_what, input) => {
    expect(errorsOf(profileUpdateSchema(), input)).toEqual([]);
    expect(errorsOf(profileUpdate.body(), input)).toEqual([]);
  });
});

describe('a profile update may not have', () => {
  test.each<[string, object, string, unknown]>([
    ['a team by its name', { team_id: 'ops' }, 'team_id', 'Must be a UUID'],
    ['no team', { team_id: '' }, 'team_id', 'Must be a UUID'],
    ['what is no username', { username: 'a b' }, 'username', NAME],
    ['a long phone number', { phonenumber: '1'.repeat(65) }, 'phonenumber', 'Must be at most 64 characters'],
    [
      'properties without a root object',
      { user_properties: { root: 1 } },
      'user_properties.root',
      'Must be an object',
    ],
    ['a role', { roles: ['sys_administrator'] }, 'roles', 'Unknown property'],
    ['a lockout', { lockoutend: null }, 'lockoutend', 'Unknown property'],
    ['the name of a team', { team_name: 'x' }, 'team_name', 'Unknown property'],
  ])('%s', (_what, input, field, message) => {
    expect(errorsOf(profileUpdateSchema(), input)).toEqual([{ field, message }]);
  });
});

describe('the path of', () => {
  test('a profile may name an account', () => {
    expect(errorsOf(profile.params(), {})).toEqual([]);
    expect(errorsOf(profile.params(), { username: 'ada' })).toEqual([]);
    expect(errorsOf(profile.params(), { username: 'a b' })).toEqual([{ field: 'username', message: NAME }]);
  });

  test('a context names an application, and may name an account', () => {
    expect(errorsOf(context.params(), { app_name: 'core' })).toEqual([]);
    expect(errorsOf(context.params(), { app_name: 'core', username: 'ada' })).toEqual([]);
    expect(errorsOf(context.params(), { username: 'ada' })).toMatchObject([{ field: 'app_name' }]);
    expect(errorsOf(context.params(), { app_name: 'a b', username: 'a b' })).toMatchObject([
      { field: 'app_name' },
      { field: 'username' },
    ]);
  });
});

test('the query of a profile may have a pscope', () => {
  expect(profile.query().parse({})).toEqual({});
  expect(profile.query().parse({ pscope: 'user,apps' })).toEqual({ pscope: ['user', 'apps'] });
  expect(errorsOf(profile.query(), { pscope: 'x' })).toEqual([{ field: 'pscope', message: PARTS }]);
});

const USER = {
  username: 'ada',
  emailconfirmed: true,
  phonenumber: '',
  user_first_name: '',
  user_last_name: '',
  user_color: '#a1B2c3',
  user_short: '',
  user_currency: 'EUR',
  team_id: '',
  team_name: '',
  user_app_name: 'core',
  user_home: null,
  isactive: true,
  islocked: false,
  user_properties: { root: { a: 1 }, more: 2 },
};

describe('what is answered', () => {
  test('is a user with all fields and properties with a root', () => {
    expect(errorsOf(userSchema(), USER)).toEqual([]);
    expect(errorsOf(userSchema(), { ...USER, stamp: 'x' })).toMatchObject([{ field: 'stamp' }]);
    expect(errorsOf(userSchema(), {}).map(({ field }) => field)).toEqual(Object.keys(USER));
    expect(errorsOf(userSchema(), { ...USER, user_properties: {} })).toMatchObject([
      { field: 'user_properties.root' },
    ]);
    expect(userSchema().parse(USER)).toEqual(USER);
  });

  test('is a profile, of which the user is always there', () => {
    const instance = { 'kv.v.api.version': '1', 'kv.v.api.url': '', 'kv.v.owner.name': '' };
    const membership = { team_id: ID, team_short: 't', team_name: 'T', team_type: 'x', teamuser_lvl: null };
    const whole = { instance, user: USER, teams: [membership], roles: ['a'], apps: ['core'] };
    expect(errorsOf(profileSchema(), whole)).toEqual([]);
    expect(errorsOf(profileSchema(), { user: USER })).toEqual([]);
    expect(errorsOf(profileSchema(), {})).toEqual([{ field: 'user', message: 'Is required' }]);
    expect(errorsOf(profileSchema(), { ...whole, more: 1 })).toMatchObject([{ field: 'more' }]);
    expect(errorsOf(profileSchema(), { ...whole, instance: { ...instance, more: 1 } })).toMatchObject([
      { field: 'instance.more' },
    ]);
    expect(errorsOf(profileSchema(), { ...whole, instance: {} }).map(({ field }) => field)).toEqual([
      'instance.kv.v.api.version',
      'instance.kv.v.api.url',
      'instance.kv.v.owner.name',
    ]);
  });

  test('is the user after an update, or the context after a switch', () => {
    expect(errorsOf(profileUpdate.response(), { user: USER })).toEqual([]);
    expect(errorsOf(profileUpdate.response(), {})).toEqual([{ field: 'user', message: 'Is required' }]);
    expect(errorsOf(context.response(), { username: 'ada', user_app_name: 'core' })).toEqual([]);
    expect(errorsOf(context.response(), {}).map(({ field }) => field)).toEqual(['username', 'user_app_name']);
    expect(errorsOf(context.response(), { username: 'a', user_app_name: 'c', more: 1 })).toHaveLength(1);
  });
});
