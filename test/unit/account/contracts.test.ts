import { expect, test } from 'vitest';
import { contract as copy } from '#lib/account/copy.contract';
import { contract as reactivate } from '#lib/account/lifecycle/reactivate.contract';
import { contract as profile } from '#lib/account/profile/profile.contract';
import { contract as profileUpdate } from '#lib/account/profile/profile-update.contract';
import { PROFILE_PARTS } from '#lib/account/profile/schema';
import { UNFILLED } from '#lib/item/fields';
import { contract as endSession } from '#lib/login/end-session.contract';
import { errorsOf, expectExactFields, fieldsAtFault } from '../support/errors-of.ts';
import { uuidOf } from '../support/items.ts';

test('the answer of account.copy names teams by their ids', () => {
  const copied = { source: 'a', target: 'b', roles_added: [], teams_added: ['team'] };
  expect(fieldsAtFault(copy.response(), copied)).toEqual(['teams_added.0']);
});

test('the path of account.end-session names a session regardless of case', () => {
  const session_id = 'abcdef01-2345-7abc-8def-0123456789ab';
  expect(endSession.params().parse({ session_id: session_id.toUpperCase() })).toEqual({ session_id });
});

test('the path of account.copy names two accounts', () => {
  for (const target_username of ['ada', 'ADA'])
    expect(errorsOf(copy.params(), { source_username: 'ada', target_username })).toEqual([
      { field: 'target_username', message: 'Must be another account than the source' },
    ]);
});

test.each([
  [{}, {}],
  [{ pscope: 'teams,roles,apps' }, { pscope: ['teams', 'roles', 'apps'] }],
  [{ pscope: ' user , instance ' }, { pscope: ['user', 'instance'] }],
])('the query of account.profile accepts %j', (query, parsed) => {
  expect(profile.query().parse(query)).toEqual(parsed);
});

test.each(['', ',', 'user,', 'user teams', 'USER', 'user,secrets', 'constructor'])(
  'the query of account.profile refuses the pscope %j',
  (pscope) => {
    const message = `Must be some of ${PROFILE_PARTS.join(', ')}, separated by commas`;
    expect(errorsOf(profile.query(), { pscope })).toEqual([{ field: 'pscope', message }]);
  },
);

const ALL = { username: 'ada', ...UNFILLED, team_id: uuidOf(1), user_properties: { root: {} } };

test('the body of account.profile-update has exactly its fields, all of them optional', () => {
  expectExactFields(profileUpdate.body(), ALL, Object.keys(ALL));
  expect(errorsOf(profileUpdate.body(), { team_id: uuidOf(1).toUpperCase() })).toEqual([]);
});

test.each<[string, object, string, string]>([
  ['a team by its name', { team_id: 'ops' }, 'team_id', 'Must be a UUID'],
  ['no team', { team_id: '' }, 'team_id', 'Must be a UUID'],
  ['an invalid username', { username: 'a b' }, 'username', 'Must be 1 to 128 letters, digits or . _ @ + -'],
  ['invalid properties', { user_properties: { root: 1 } }, 'user_properties.root', 'Must be an object'],
  ['a control', { phonenumber: '1\x1b' }, 'phonenumber', 'Must not have control characters'],
  ['a role', { roles: ['sys_administrator'] }, 'roles', 'Unknown property'],
])('the body of account.profile-update refuses %s', (_what, input, field, message) => {
  expect(errorsOf(profileUpdate.body(), input)).toEqual([{ field, message }]);
});

test('the body of account.reactivate decides about the tokens', () => {
  for (const body of [{}, { revoke_tokens: true }, { revoke_tokens: false }])
    expect(errorsOf(reactivate.body(), body)).toEqual([]);
  expect(fieldsAtFault(reactivate.body(), { revoke_tokens: 'true' })).toEqual(['revoke_tokens']);
  expect(fieldsAtFault(reactivate.body(), { revoke: true })).toEqual(['revoke']);
});
