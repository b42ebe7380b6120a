import { describe, expect, test } from 'vitest';
import { addMemberships, removeMemberships } from '#lib/account/memberships';
import { profileUser } from '#lib/account/profile/profile';
import { updateProfile } from '#lib/account/profile/update';
import { readProperties } from '#lib/account/properties';
import { createTeam } from '#lib/account/team';
import type { Account } from '#lib/item/account';
import { accountKey, propertiesKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { NOON, openTestTable } from '../../support/engine.ts';
import { setAttributes } from '../../support/set-attributes.ts';

const { table, runtime, account, operations, wire } = await openTestTable();

const [A, B, C] = (await Promise.all(
  ['A', 'B', 'C'].map(
    async (short) => (await createTeam(runtime, { short, name: `Team ${short}`, type: 'internal' })).team_id,
  ),
)) as [string, string, string];

const stored = async ({ username }: Account) => (await get(table, accountKey(username))) as Account;
const update = (caller: Account, body: Parameters<typeof updateProfile>[2]) =>
  updateProfile(runtime, caller, body);
const MEMBERSHIPS = { roles: [], apps: [] };

describe('an update', () => {
  test('changes what is sent, leaves the rest, and answers the user', async () => {
    const before = await account({ user_first_name: 'Ada', phonenumber: '0', teams: ['A', 'B'] });
    const changes = {
      phonenumber: '',
      user_last_name: 'Lovelace',
      user_color: '#a1B2c3',
      user_short: 'x',
      user_currency: 'CHF',
    };
    const user_properties = { theme: 'dark' };
    const { user } = await update(before, { ...changes, team_id: B, user_properties });
    const after = { ...before, ...changes, team_id: B, team_name: 'Team B' };
    expect(await stored(before)).toMatchObject(after);
    expect(user).toEqual(profileUser(after, { root: {}, theme: 'dark' }, NOON));
    expect(await readProperties(table, before.username)).toEqual({ root: {}, theme: 'dark' });
  });

  test('takes one transaction where the properties are sent, an update and a read where they are not', async () => {
    const ada = await account({ user_properties: { a: 1 } });
    wire.reset();
    await update(ada, { user_short: 'x', user_properties: { b: 2 } });
    expect(operations()).toEqual(['TransactWriteItems']);
    wire.reset();
    expect((await update(ada, { user_short: 'y' })).user.user_properties).toEqual({ root: {}, b: 2 });
    expect(operations()).toEqual(['UpdateItem', 'GetItem']);
  });

  test('of nothing writes nothing', async () => {
    const ada = await account({ user_properties: { a: 1 } });
    wire.reset();
    expect(await update(ada, {})).toEqual({ user: profileUser(ada, { root: {}, a: 1 }, NOON) });
    expect(operations()).toEqual(['GetItem']);
  });

  test('of the properties alone replaces them, also by none', async () => {
    const ada = await account({ user_properties: { a: 1, root: { b: 2 } } });
    const before = await stored(ada);
    expect((await update(ada, { user_properties: {} })).user.user_properties).toEqual({ root: {} });
    expect(await get(table, propertiesKey(ada.username))).toMatchObject({ json: '{"root":{}}' });
    expect(await stored(ada)).toEqual(before);
  });
});

describe('the account of an update', () => {
  test.each<[string, (username: string) => string]>([
    ['as it is spelled', (username) => username],
    ['in another case', (username) => username.toUpperCase()],
  ])('may be the own one %s, which is not read again', async (_what, spell) => {
    const ada = await account();
    wire.reset();
    const { user } = await update(ada, {
      username: spell(ada.username),
      user_short: 'x',
      user_properties: { a: 1 },
    });
    expect(user).toMatchObject({ username: ada.username, user_short: 'x' });
    expect(operations()).toEqual(['TransactWriteItems']);
    expect(await stored(ada)).toMatchObject({ ...ada, user_short: 'x' });
    expect(await readProperties(table, ada.username)).toEqual({ root: {}, a: 1 });
  });

  test('may be another one, in any case, and the caller stays as it is', async () => {
    const [caller, other] = [await account(), await account({ teams: ['C'], user_properties: { o: 1 } })];
    const before = await stored(caller);
    const { user } = await update(caller, {
      username: other.username.toUpperCase(),
      user_first_name: 'New',
      team_id: C,
    });
    expect(user).toEqual(profileUser({ ...other, user_first_name: 'New' }, { root: {}, o: 1 }, NOON));
    expect(await stored(other)).toMatchObject({ ...other, user_first_name: 'New' });
    expect(await stored(caller)).toEqual(before);
  });

  test.each<[string, object]>([
    ['fields', { user_short: 'x' }],
    ['properties', { user_properties: { a: 1 } }],
    ['nothing', {}],
  ])('has to exist, where %s is changed', async (_what, body) => {
    const caller = await account();
    await expect(update(caller, { username: 'nobody', ...body })).rejects.toMatchObject({
      code: 'account_not_found',
    });
    expect(await get(table, accountKey('nobody'))).toBeUndefined();
    expect(await get(table, propertiesKey('nobody'))).toBeUndefined();
  });

  test.each<[string, object]>([
    ['fields', { user_short: 'x' }],
    ['properties', { user_properties: { a: 1 } }],
  ])('that is gone since it was read is not brought back by its %s', async (_what, body) => {
    const gone = await account();
    await remove(table, accountKey(gone.username));
    await expect(update(gone, body)).rejects.toMatchObject({ code: 'account_not_found' });
    expect(await get(table, accountKey(gone.username))).toBeUndefined();
    expect(await get(table, propertiesKey(gone.username))).toBeUndefined();
  });

  test('is the one of the name now, where another was when it was read', async () => {
    const gone = await account({ teams: ['A'] });
    await remove(table, accountKey(gone.username));
    const successor = await account({ username: gone.username, teams: ['B'] });
    await expect(update(gone, { team_id: A })).rejects.toMatchObject({ code: 'team_not_member' });
    await update(gone, { user_short: 'x' });
    expect(await stored(gone)).toMatchObject({ ...successor, user_short: 'x' });
  });
});

describe('the default team', () => {
  test.each([
    ['lower', B.toLowerCase()],
    ['upper', B.toUpperCase()],
  ])('is found by its id in %s case, and takes its name along', async (_case, team_id) => {
    const ada = await account({ teams: ['A', 'B'] });
    const { user } = await update(ada, { team_id });
    expect(user).toMatchObject({ team_id: B, team_name: 'Team B' });
    expect(await stored(ada)).toMatchObject({ ...ada, team_id: B, team_name: 'Team B' });
  });

  test('is one of the account, or nothing is changed', async () => {
    const ada = await account({ teams: ['A'] });
    const before = await stored(ada);
    await expect(
      update(ada, { team_id: B, user_short: 'x', user_properties: { a: 1 } }),
    ).rejects.toMatchObject({
      code: 'team_not_member',
      errors: [{ field: 'team_id', message: 'Must be a team of the account' }],
    });
    expect(await stored(ada)).toEqual(before);
    expect(await get(table, propertiesKey(ada.username))).toBeUndefined();
  });

  test('is none that was taken a moment ago', async () => {
    const stale = await account({ teams: ['A', 'B'] });
    await removeMemberships(table, stale, { ...MEMBERSHIPS, teams: ['B'] });
    const before = await stored(stale);
    await expect(update(stale, { team_id: B, user_short: 'x' })).rejects.toMatchObject({
      code: 'team_not_member',
    });
    expect(await stored(stale)).toEqual(before);
  });

  test('is set where another team came meanwhile, which stays', async () => {
    const stale = await account({ teams: ['A', 'B'] });
    await addMemberships(table, stale, { ...MEMBERSHIPS, teams: ['C'] });
    const { teams } = await stored(stale);
    expect((await update(stale, { team_id: B })).user).toMatchObject({ team_id: B });
    expect(await stored(stale)).toMatchObject({ teams, team_id: B, team_name: 'Team B' });
  });

  test('and a removal of it at once leave no team that the account is not in', async () => {
    for (let round = 0; round < 5; round++) {
      const ada = await account({ teams: ['A', 'B'] });
      await Promise.allSettled([
        update(ada, { team_id: B }),
        removeMemberships(table, ada, { ...MEMBERSHIPS, teams: ['B'] }),
      ]);
      expect(await stored(ada)).toMatchObject({ team_id: A, team_name: 'Team A', teams: [{ team_id: A }] });
    }
  });
});

describe('what has changed since the account was read', () => {
  test('is kept, and is no obstacle to other fields', async () => {
    const stale = await account({ teams: ['A'] });
    await addMemberships(table, stale, { roles: ['r'], apps: ['x'], teams: ['B'] });
    await setAttributes(table, stale, { phonenumber: '1', isactive: false });
    const meanwhile = await stored(stale);
    wire.reset();
    await update(stale, { user_short: 'x' });
    expect(operations()).toEqual(['UpdateItem', 'GetItem']);
    expect(await stored(stale)).toEqual({ ...meanwhile, user_short: 'x' });
  });
});
