import { beforeAll, expect, test } from 'vitest';
import { colorFor } from '#lib/account/appearance';
import { createAccount, type NewAccount } from '#lib/account/create';
import { API_USERNAME } from '#lib/account/identifiers';
import { MAX_APPS, MAX_ROLES, MAX_TEAMS } from '#lib/account/maxima';
import type { Account } from '#lib/item/account';
import { UNFILLED } from '#lib/item/fields';
import { verifyPassword } from '#lib/password/hash';
import { readStatistics } from '#lib/stats/statistics';
import { accountKey, directoryIndex, passwordKey, propertiesKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { membershipsIn } from '#lib/team/team';
import { COST, NOON, openTestTable } from '../support/engine.ts';
import { accountItem, uuidOf } from '../support/items.ts';

const { table, runtime, account, stored, team, operations } = await openTestTable();

const names = (count: number) => Array.from({ length: count }, (_, n) => `name-${n}`);
const statistics = () => readStatistics(table, NOON);

/** A runtime whose ids are counted from 1, as those of {@link accountItem} are. */
function counting() {
  let n = 0;
  return { ...runtime, uuid: () => uuidOf(++n) };
}
const newItem = (overrides: Partial<Account>) =>
  accountItem({ names_apart: true, password_set: false, ...overrides });
let created = 0;
const create = (input: Partial<NewAccount>) =>
  createAccount(counting(), { username: `new-${created++}`, ...input });

beforeAll(() => Promise.all(names(MAX_TEAMS).map(team)));

test('createAccount stores the defaults of an account that has only a username', async () => {
  const before = await statistics();
  const zoe = await create({ username: 'zoe' });
  expect(operations().filter((operation) => operation.includes('Write'))).toEqual(['TransactWriteItems']);
  const expected = newItem({ username: 'zoe', user_color: colorFor('zoe'), user_short: 'ZO' });
  expect(zoe).toEqual(expected);
  expect(await stored(zoe)).toEqual({ ...accountKey('zoe'), ...directoryIndex('zoe'), ...expected });
  expect(await get(table, passwordKey('zoe'))).toBeUndefined();
  expect(await get(table, propertiesKey('zoe'))).toBeUndefined();
  expect(await statistics()).toEqual({ ...before, count: before.count + 1 });
});

test('createAccount stores everything that it is given, memberships once', async () => {
  const given = {
    username: 'Ada.Lovelace',
    phonenumber: '+43 1 234',
    user_first_name: 'Ada',
    user_last_name: 'Lovelace',
    user_color: '#a1B2c3',
    user_currency: 'CHF',
    emailconfirmed: true,
    lockoutenabled: false,
  };
  const ada = await create({
    ...given,
    apps: ['billing', 'core', 'billing'],
    roles: ['b', 'a', 'b'],
    teams: ['NAME-1', 'name-0', 'name-1'],
    password: 'correct horse',
    user_properties: { theme: 'dark' },
  });
  const teams = await membershipsIn(table, ['name-1', 'name-0']);
  const memberships = { roles: ['b', 'a'], apps: ['billing', 'core'], user_app_name: 'billing', teams };
  const { team_id, team_name } = teams[0] as (typeof teams)[number];
  const shown = { team_id, team_name, user_short: 'AL', password_set: true };
  expect(ada).toEqual(newItem({ ...given, ...memberships, ...shown }));
  expect(await stored(ada)).toMatchObject(ada);
  const password = await get(table, passwordKey('ada.lovelace'));
  expect(password).toEqual({
    ...passwordKey('ada.lovelace'),
    hash: expect.stringContaining(`$2b$0${COST}$`),
  });
  expect(await verifyPassword('correct horse', password?.hash, COST)).toBe(true);
  expect(await get(table, propertiesKey('ada.lovelace'))).toMatchObject({
    json: '{"root":{},"theme":"dark"}',
  });
});

test('createAccount takes undefined values for defaults', async () => {
  const memberships = ['apps', 'roles', 'teams'];
  const fields = ['password', 'user_properties', 'emailconfirmed', 'lockoutenabled', ...memberships];
  const all = [...fields, ...Object.keys(UNFILLED)];
  const empty = await create({ username: 'zo', ...Object.fromEntries(all.map((name) => [name, undefined])) });
  expect(empty).toEqual(newItem({ username: 'zo', user_color: colorFor('zo'), user_short: 'ZO' }));
});

test('createAccount accepts as many memberships as an account has, and a name that begins like the reserved one', async () => {
  const given = { roles: names(MAX_ROLES), apps: names(MAX_APPS), username: `${API_USERNAME}2` };
  const { teams, ...rest } = await create({ ...given, teams: names(MAX_TEAMS) });
  expect(rest).toMatchObject(given);
  expect(teams.map(({ team_short }) => team_short)).toEqual(names(MAX_TEAMS));
});

test.each<[string, object, string]>([
  [`${MAX_ROLES + 1} roles`, { roles: names(MAX_ROLES + 1) }, 'roles'],
  [`${MAX_APPS + 1} applications`, { apps: names(MAX_APPS + 1) }, 'apps'],
  [`${MAX_TEAMS + 1} teams`, { teams: names(MAX_TEAMS + 1) }, 'teams'],
  ['no application', { apps: [] }, 'apps'],
  ['a role that is no name', { roles: ['a b'] }, 'roles.0'],
  ['a misspelt role of the service', { roles: ['sys_admin'] }, 'roles.0'],
  ['an application that is no name', { apps: ['core', ''] }, 'apps.1'],
  ['a list as properties', { user_properties: [] }, 'user_properties'],
  ['no username', { username: '' }, 'username'],
  ['an empty password', { password: '' }, 'password'],
  ['its username as password', { username: 'the.same.name', password: 'The.Same.Name' }, 'password'],
  ['a given id', { id: 'x' }, 'id'],
  ['a given stamp', { stamp: 'x' }, 'stamp'],
])('createAccount refuses %s before any request', async (_what, given, field) => {
  await expect(create(given)).rejects.toMatchObject({ code: 'invalid_request', errors: [{ field }] });
  expect(operations()).toEqual([]);
});

test.each([API_USERNAME, API_USERNAME.toUpperCase(), 'secrets-manager', '.', '..'])(
  'createAccount refuses the reserved name %s',
  async (username) => {
    const errors = [{ field: 'username', message: 'This name is reserved' }];
    await expect(create({ username })).rejects.toMatchObject({ code: 'invalid_request', errors });
  },
);

test('createAccount refuses a password with a hash', async () => {
  const errors = [{ field: 'password_hash', message: 'Must not be given with a password' }];
  const refused = create({ password: 'correct horse', password_hash: 'x' });
  await expect(refused).rejects.toMatchObject({ code: 'invalid_request', errors });
});

test('createAccount refuses a username that is taken in any case, and writes nothing', async () => {
  const taken = await account({ user_properties: { a: 1 } });
  const { username } = taken;
  const before = [await stored(taken), await statistics()];
  const input = { password: 'correct horse', user_properties: { b: 2 }, roles: ['r'] };
  for (const spelled of [username, username.toUpperCase()])
    await expect(create({ ...input, username: spelled })).rejects.toMatchObject({ code: 'account_exists' });
  expect([await stored(taken), await statistics()]).toEqual(before);
  expect(await get(table, passwordKey(username))).toBeUndefined();
  expect(await get(table, propertiesKey(username))).toMatchObject({ json: '{"root":{},"a":1}' });
});
