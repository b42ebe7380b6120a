import { expect, test } from 'vitest';
import { contract as access } from '#lib/account/access.contract';
import { contract as create } from '#lib/account/create.contract';
import { givenRole, meantBy } from '#lib/account/roles';
import { ROLES } from '#lib/contract/contract';
import { errorsOf } from '../support/errors-of.ts';

test.each([
  ['sys_administator', 'sys_administrator'],
  ['sys_admin', 'sys_administrator'],
  ['Sys_Administrator', 'sys_administrator'],
  ['SYS_TOKENS', 'sys_tokens'],
  ['sys_token', 'sys_tokens'],
  ['sys_tokens2', 'sys_tokens'],
  ['sys_introspect', 'sys_introspection'],
  ['sys_inspection', 'sys_introspection'],
  // By distance alone, the shorter name would be nearer.
  ['sys_intro', 'sys_introspection'],
])('meantBy suggests for %s the role %s', (role, meant) => {
  expect(meantBy(role)).toBe(meant);
});

test.each([...ROLES, 'editor', 'sys', 'system_admin', 'my_sys_tokens', 'sys-admin'])(
  'meantBy has no suggestion for %s',
  (role) => {
    expect([meantBy(role), errorsOf(givenRole(), role)]).toEqual([undefined, []]);
  },
);

const fault = (field: string) => [
  { field, message: 'Is not a role of the service; did you mean sys_administrator?' },
];

test('the body of account.create refuses a misspelt role of the service', () => {
  const roles = ['sys_tokens', 'editor', 'sys_admin'];
  expect(errorsOf(create.body(), { username: 'ada', roles })).toEqual(fault('roles.2'));
});

test('the body of account.access refuses to add a misspelt role of the service, and accepts to remove it', () => {
  const roles = ['editor', 'Sys_Administrator'];
  expect(errorsOf(access.body(), { add: { roles } })).toEqual(fault('add.roles.1'));
  expect(errorsOf(access.body(), { remove: { roles } })).toEqual([]);
});

test('a role that is no name has one fault', () => {
  const message = 'Must be 1 to 64 letters, digits or . _ -';
  expect(errorsOf(givenRole(), 'sys_ tokens')).toEqual([{ field: 'body', message }]);
});
