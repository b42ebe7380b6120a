import { expect, test } from 'vitest';
import { changeMemberships } from '#lib/account/memberships';
import { switchContext } from '#lib/account/profile/context';
import { etagOf } from '#lib/account/profile/etag';
import { profileUser, readProfile } from '#lib/account/profile/profile';
import { updateProfile } from '#lib/account/profile/update';
import { readProperties } from '#lib/account/properties';
import type { Account } from '#lib/item/account';
import { accountKey, propertiesKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { NOON, openTestTable } from '../../support/engine.ts';
import { setAttributes } from '../../support/set-attributes.ts';

const { table, runtime, account, stored, team, operations, wire } = await openTestTable();

const [A, B, C] = (await Promise.all(['A', 'B', 'C'].map(team))).map(({ team_id }) => team_id) as [
  string,
  string,
  string,
];

type Update = Parameters<typeof updateProfile>[2];
const update = (caller: Account, body: Update, ifMatch?: string) =>
  updateProfile(runtime, caller, body, ifMatch);
const propertiesOf = ({ username }: Account) => readProperties(table, username);

const CHANGES: [string, Update][] = [
  ['fields', { user_short: 'x' }],
  ['properties', { user_properties: { a: 2 } }],
  ['both', { user_short: 'x', user_properties: { a: 2 } }],
];

test('updateProfile changes the sent fields, keeps the others and returns the user', async () => {
  const before = await account({ user_first_name: 'Ada', phonenumber: '0', teams: ['A', 'B'] });
  const filled = { user_last_name: 'Lovelace', user_color: '#a1B2c3', user_currency: 'CHF' };
  const changes = { phonenumber: '', ...filled };
  const team_id = B.toUpperCase();
  const { user } = await update(before, { ...changes, team_id, user_properties: { theme: 'dark' } });
  const after = { ...before, ...changes, team_id: B, team_name: 'Team B' };
  expect(await stored(before)).toMatchObject(after);
  expect(user).toEqual(profileUser(after, { root: {}, theme: 'dark' }, NOON));
  expect(await propertiesOf(before)).toEqual({ root: {}, theme: 'dark' });
});

test.each(CHANGES)(
  'updateProfile of %s returns what another request has changed since',
  async (_what, body) => {
    const ada = await account();
    await update(ada, { phonenumber: '1' });
    expect((await update(ada, body)).user.phonenumber).toBe('1');
  },
);

test.each<[string, Update, string[], object]>([
  ['fields', { user_short: 'x' }, ['UpdateItem'], { root: {}, a: 1 }],
  ['properties', { user_properties: {} }, ['TransactWriteItems'], { root: {} }],
  ['both', { user_short: 'x', user_properties: { b: 2 } }, ['TransactWriteItems'], { root: {}, b: 2 }],
  ['nothing', {}, [], { root: {}, a: 1 }],
])('updateProfile changes %s with the fewest requests', async (_what, body, requests, properties) => {
  const ada = await account({ user_properties: { a: 1 } });
  const before = await stored(ada);
  wire.reset();
  expect((await update(ada, body)).user.user_properties).toEqual(properties);
  expect(operations()).toEqual([...requests, 'BatchGetItem']);
  expect(await propertiesOf(ada)).toEqual(properties);
  expect(await stored(ada)).toEqual({ ...before, ...('user_short' in body ? { user_short: 'x' } : {}) });
});

test('updateProfile changes the account of a name in any case, and no other', async () => {
  const [ada, other] = [await account(), await account({ teams: ['C'], user_properties: { o: 1 } })];
  wire.reset();
  const own = { username: ada.username.toUpperCase(), user_short: 'x', user_properties: { a: 1 } };
  expect((await update(ada, own)).user).toMatchObject({ username: ada.username, user_short: 'x' });
  expect(operations(), 'the own account is not read before').toEqual(['TransactWriteItems', 'BatchGetItem']);
  expect(await stored(ada)).toMatchObject({ ...ada, user_short: 'x' });
  expect(await propertiesOf(ada)).toEqual({ root: {}, a: 1 });

  const before = await stored(ada);
  const username = other.username.toUpperCase();
  const { user } = await update(ada, { username, user_first_name: 'New', team_id: C });
  expect(user).toEqual(profileUser({ ...other, user_first_name: 'New' }, { root: {}, o: 1 }, NOON));
  expect(await stored(other)).toMatchObject({ ...other, user_first_name: 'New' });
  expect(await stored(ada)).toEqual(before);
});

test.each<[string, Update]>([...CHANGES, ['nothing', {}]])(
  'refuses an unknown account when %s change',
  async (_what, body) => {
    const gone = await account();
    await remove(table, accountKey(gone.username));
    const notFound = { code: 'account_not_found' };
    await expect(update(await account(), { username: 'nobody', ...body })).rejects.toMatchObject(notFound);
    if (Object.keys(body).length > 0) await expect(update(gone, body)).rejects.toMatchObject(notFound);
    for (const name of ['nobody', gone.username]) {
      expect(await get(table, accountKey(name))).toBeUndefined();
      expect(await get(table, propertiesKey(name))).toBeUndefined();
    }
  },
);

test('updateProfile changes the account that has the name now', async () => {
  const gone = await account({ teams: ['A'] });
  await remove(table, accountKey(gone.username));
  const successor = await account({ username: gone.username, teams: ['B'] });
  await expect(update(gone, { team_id: A })).rejects.toMatchObject({ code: 'team_not_member' });
  const { user } = await update(gone, { user_short: 'x' });
  expect(await stored(gone)).toMatchObject({ ...successor, user_short: 'x' });
  expect(user).toMatchObject({ team_id: B, user_short: 'x' });
});

test('updateProfile refuses a default team of which the account is no member, also when it left since the read', async () => {
  const [ada, stale] = [await account({ teams: ['A'] }), await account({ teams: ['A', 'B'] })];
  await changeMemberships(runtime, stale, { remove: { teams: ['B'] } });
  for (const caller of [ada, stale]) {
    const before = await stored(caller);
    const request = update(caller, { team_id: B, user_short: 'x', user_properties: { a: 1 } });
    const errors = [{ field: 'team_id', message: 'Must be a team of the account' }];
    await expect(request).rejects.toMatchObject({ code: 'team_not_member', errors });
    expect(await stored(caller)).toEqual(before);
    expect(await get(table, propertiesKey(caller.username))).toBeUndefined();
  }
});

const tagOf = async (owner: Account) =>
  etagOf(await readProfile(runtime, await stored(owner), undefined, { username: owner.username, roles: [] }));
const failed = { code: 'precondition_failed' };

test.each(CHANGES)('updateProfile with If-Match changes %s once for a tag', async (_what, changes) => {
  for (const properties of [{ user_properties: { a: 1 } }, {}]) {
    const ada = await account(properties);
    const tag = await tagOf(ada);
    wire.reset();
    const after = await update(ada, changes, tag);
    expect(operations()).toEqual(['GetItem', 'TransactWriteItems']);
    expect(after.user).toMatchObject(changes);
    await expect(update(await stored(ada), changes, tag)).rejects.toMatchObject(failed);
    expect(await update(await stored(ada), changes, etagOf(after))).toEqual(after);
  }
});

test.each(CHANGES)(
  'updateProfile with If-Match does not change %s when the properties change between read and write',
  async (_what, changes) => {
    const ada = await account();
    const tag = await tagOf(ada);
    const Key = propertiesKey(ada.username);
    wire.before('TransactWriteItems', () => put(table, Key, { json: '{"root":{},"b":1}' }));
    await expect(update(ada, changes, tag)).rejects.toMatchObject(failed);
    expect((await stored(ada)).user_short).toBe(ada.user_short);
    expect((await propertiesOf(ada))['a']).toBeUndefined();
  },
);

test('updateProfile with If-Match ignores activity and roles, and checks the tag of an empty update', async () => {
  const ada = await account();
  const tag = await tagOf(ada);
  await setAttributes(table, ada, { lastActivity: '2026-11-21T00:00:00.000', roles: ['r'] });
  expect(await update(ada, { user_short: 'x' }, tag)).toBeTruthy();
  await expect(update(await stored(ada), {}, tag)).rejects.toMatchObject(failed);
  expect(await update(await stored(ada), {}, '*')).toBeTruthy();
});

const APPS = { apps: ['core', 'billing'] };

test('switchContext makes an application the default and changes nothing else', async () => {
  const before = await account(APPS);
  const expected = { username: before.username, user_app_name: 'billing' };
  wire.reset();
  expect(await switchContext(table, before, 'billing')).toEqual(expected);
  expect(operations()).toEqual(['UpdateItem']);
  expect(await stored(before)).toMatchObject({ ...before, ...expected });
});

type Refusal = [string, object, string, string];
const UNKNOWN = ['other', 'bill', 'Billing', ''];
test.each<Refusal>([
  ...UNKNOWN.map((app): Refusal => [`the unknown name "${app}"`, {}, app, 'app_not_found']),
  ['an application that was removed since', { apps: ['core'] }, 'billing', 'app_not_found'],
  ['a cancelled account', { isactive: false }, 'billing', 'account_cancelled'],
  ['a cancelled account without the application', { isactive: false }, 'other', 'app_not_found'],
])('switchContext refuses %s, and changes nothing', async (_what, meanwhile, app, code) => {
  const stale = await account(APPS);
  const fresh = await setAttributes(table, stale, { phonenumber: '1', ...meanwhile });
  await expect(switchContext(table, stale, app)).rejects.toMatchObject({ code });
  expect(await stored(stale)).toEqual(fresh);
  await remove(table, accountKey(stale.username));
  await expect(switchContext(table, stale, 'core')).rejects.toMatchObject({ code: 'app_not_found' });
  expect(await get(table, accountKey(stale.username)), 'not created again').toBeUndefined();
});
