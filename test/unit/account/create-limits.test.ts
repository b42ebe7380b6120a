import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount, type NewAccount } from '#lib/account/create';
import { createTeam } from '#lib/account/team';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { openTestTable } from '../support/engine.ts';

const { table, runtime, operations } = await openTestTable();
let created = 0;
const account = (input: Partial<NewAccount>) =>
  createAccount(runtime, { username: `new-${created++}`, ...input });

const names = (count: number) => Array.from({ length: count }, (_, n) => `name-${n}`);

beforeAll(async () => {
  for (const short of names(100)) await createTeam(runtime, { short, name: short, type: 'internal' });
});

describe('a new account may have', () => {
  test.each<[string, Partial<NewAccount>]>([
    ['100 roles', { roles: names(100) }],
    ['100 applications', { apps: names(100) }],
    ['100 teams', { teams: names(100) }],
    ['a phone number of 64', { phonenumber: '1'.repeat(64) }],
    ['names of 128', { user_first_name: 'x'.repeat(128), user_last_name: 'x'.repeat(128) }],
    ['8 initials', { user_short: '12345678' }],
    ['a username of 128', { username: 'u'.repeat(128) }],
    ['a username that begins like the reserved one', { username: 'api2' }],
  ])('%s', async (_what, given) => {
    const made = await account(given);
    const { teams, ...rest } = given;
    expect(made).toMatchObject(rest);
    if (teams) expect(made.teams.map(({ team_short }) => team_short)).toEqual(teams);
    expect(await get(table, accountKey(made.username))).toMatchObject(made);
  });
});

describe('a new account may not have', () => {
  test.each<[string, Partial<NewAccount>, string]>([
    ['101 roles', { roles: names(101) }, 'roles'],
    ['101 applications', { apps: names(101) }, 'apps'],
    ['101 teams', { teams: names(101) }, 'teams'],
    ['no application', { apps: [] }, 'apps'],
    ['a role that is no name', { roles: ['a b'] }, 'roles.0'],
    ['an application that is no name', { apps: ['core', ''] }, 'apps.1'],
    ['a phone number of 65', { phonenumber: '1'.repeat(65) }, 'phonenumber'],
    ['initials of 9', { user_short: '123456789' }, 'user_short'],
    ['a colour by name', { user_color: 'red' }, 'user_color'],
    ['a list as properties', { user_properties: [] as never }, 'user_properties'],
    ['a username of 129', { username: 'u'.repeat(129) }, 'username'],
    ['no username', { username: '' }, 'username'],
    ['a password of 7 bytes', { password: '1234567' }, 'password'],
    ['an empty password', { password: '' }, 'password'],
    ['its username as password', { username: 'the.same.name', password: 'The.Same.Name' }, 'password'],
    ['an id of its choice', { id: 'x' } as never, 'id'],
    ['a stamp of its choice', { stamp: 'x' } as never, 'stamp'],
  ])('%s', async (_what, given, field) => {
    await expect(account(given)).rejects.toMatchObject({ code: 'invalid_request', errors: [{ field }] });
    expect(operations()).toEqual([]);
  });

  test.each(['api', 'Api', 'API'])('the reserved name %s', async (username) => {
    await expect(account({ username })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'username', message: 'This name is reserved' }],
    });
    expect(operations()).toEqual([]);
  });

  test('a team that does not exist', async () => {
    await expect(account({ username: 'teamless', teams: ['name-1', 'unknown'] })).rejects.toMatchObject({
      code: 'team_not_found',
    });
    expect(await get(table, accountKey('teamless'))).toBeUndefined();
  });
});
