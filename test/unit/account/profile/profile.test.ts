import { expect, test } from 'vitest';
import { createCode } from '#lib/account/create-code';
import { profileUser, readProfile } from '#lib/account/profile/profile';
import { contract as profile } from '#lib/account/profile/profile.contract';
import { PROFILE_PARTS, type ProfilePart } from '#lib/account/profile/schema';
import { PER_NAME } from '#lib/login/attempts';
import { loginBlockOf } from '#lib/login/refusals';
import { isoOf, withOffset } from '#lib/time';
import project from '../../../../package.json' with { type: 'json' };
import { by, NOON, openTestTable } from '../../support/engine.ts';
import { errorsOf } from '../../support/errors-of.ts';
import { accountItem, membership, SHOWN_FIELDS } from '../../support/items.ts';

const { runtime, account, operations, wire } = await openTestTable({
  ApiUrl: 'https://api.example.com',
  OwnerName: 'Owner',
});

const READER = { username: 'reader', roles: ['a'] };
const TEAM = membership(1);
const reversed = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).reverse()) as unknown as T;

// DynamoDB returns the attributes of a map in any order.
const ACCOUNT = reversed(
  accountItem({ ...SHOWN_FIELDS, roles: ['a', 'b'], apps: ['billing', 'core'], teams: [reversed(TEAM)] }),
);
const USER = { ...SHOWN_FIELDS, isactive: true, islocked: false };
const WHOLE = {
  instance: {
    'kv.v.api.version': project.version,
    'kv.v.api.url': 'https://api.example.com',
    'kv.v.owner.name': 'Owner',
  },
  user: { ...USER, user_properties: { root: {} } },
  teams: [TEAM],
  roles: ['a', 'b'],
  apps: ['billing', 'core'],
};

test('profileUser shows a cancellation, and a lockout until it ends', () => {
  const lockoutend = withOffset(NOON + 1);
  const user = (now: number) => profileUser({ ...ACCOUNT, isactive: false, lockoutend }, { root: {} }, now);
  expect(user(NOON)).toMatchObject({ isactive: false, islocked: true });
  expect(user(NOON + 1)).toMatchObject({ isactive: false, islocked: false });
});

test('readProfile returns all parts by default, with their fields in order', async () => {
  expect(JSON.stringify(await readProfile(runtime, ACCOUNT, undefined, READER))).toBe(JSON.stringify(WHOLE));
});

test('readProfile reads the properties of the account in one request', async () => {
  const ada = await account({ user_properties: { root: { theme: 'dark' }, more: [] } });
  wire.reset();
  const { user } = await readProfile(runtime, ada, ['user'], READER);
  expect(user).toEqual(profileUser(ada, { root: { theme: 'dark' }, more: [] }, NOON));
  expect(operations()).toEqual(['GetItem']);
});

test.each<[ProfilePart[], ProfilePart[]]>([
  [['user'], ['user']],
  [['user', 'user'], ['user']],
  [['teams'], ['instance', 'user', 'teams']],
  [['apps'], ['instance', 'user', 'apps']],
  [
    ['user', 'apps'],
    ['instance', 'user', 'apps'],
  ],
  [
    ['apps', 'roles', 'teams'],
    ['instance', 'user', 'teams', 'roles', 'apps'],
  ],
  [[], ['instance', 'user']],
  [[...PROFILE_PARTS], [...PROFILE_PARTS]],
])('readProfile returns for the pscope %j the parts %j', async (pscope, parts) => {
  const answer = await readProfile(runtime, ACCOUNT, pscope, READER);
  expect(Object.keys(answer)).toEqual(parts);
  expect(WHOLE).toMatchObject(answer);
  expect(errorsOf(profile.response(), answer)).toEqual([]);
});

const NONE = { code_expires_at: null, code_created_at: null, code_created_by: null };

test.each<[ProfilePart[] | undefined, string[], boolean]>([
  [undefined, ['sys_administrator'], true],
  [['user'], ['sys_administrator'], true],
  [['user', 'roles'], ['sys_administrator'], true],
  [['teams', 'roles', 'apps'], ['sys_administrator'], false],
  [undefined, ['sys_tokens'], false],
  [['user'], [], false],
])('readProfile with the pscope %j for %j shows an open one-time code: %s', async (pscope, roles, shows) => {
  const ada = await account();
  const shown = async () => {
    const { user } = await readProfile(runtime, ada, pscope, { username: 'root', roles });
    return Object.fromEntries(Object.entries(user).filter(([name]) => name.startsWith('code_')));
  };
  expect(await shown()).toEqual(shows ? NONE : {});
  const { expires_at, code } = await createCode(runtime, ada, by('root'), {});
  const open = {
    code_expires_at: expires_at,
    code_created_at: new Date(NOON).toISOString(),
    code_created_by: 'root',
  };
  expect(await shown()).toEqual(shows ? open : {});
  expect(JSON.stringify(await readProfile(runtime, ada, pscope, { username: 'root', roles }))).not.toContain(
    code,
  );
});

const ROOT = { username: 'root', roles: ['sys_administrator'], blockOf: loginBlockOf };

test.each<[string, ProfilePart[] | undefined, typeof ROOT, boolean]>([
  ['an administrator', undefined, ROOT, true],
  ['an administrator', ['user'], ROOT, true],
  ['an administrator', ['user', 'roles'], ROOT, true],
  ['an administrator', ['teams'], ROOT, false],
  ['its own administrator', undefined, { ...ROOT, username: 'LOCKED.out' }, false],
  ['another role', undefined, { ...ROOT, roles: ['sys_tokens'] }, false],
])('readProfile shows a lockout to %s with the pscope %j', async (_, pscope, reader, shows) => {
  const until = NOON + 1;
  const ada = { ...ACCOUNT, username: 'Locked.Out', lockoutend: withOffset(until) };
  const login_block = {
    cause: 'attempts',
    since: isoOf(until - (PER_NAME.lockoutMs ?? 0)),
    until: isoOf(until),
  };
  wire.reset();
  const answer = await readProfile(runtime, ada, pscope, reader);
  expect('login_block' in answer.user).toBe(shows);
  if (shows) expect(answer.user).toMatchObject({ login_block });
  expect(errorsOf(profile.response(), answer)).toEqual([]);
  expect(operations().filter((operation) => operation === 'Query')).toHaveLength(shows ? 1 : 0);
  const { user } = await readProfile(runtime, ACCOUNT, pscope, reader);
  expect(user).toMatchObject(shows ? { login_block: null } : {});
});
