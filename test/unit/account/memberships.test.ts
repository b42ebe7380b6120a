import { describe, expect, test } from 'vitest';
import { addMemberships, defaultTeam, removeMemberships } from '#lib/account/memberships';
import { createTeam, membershipsIn } from '#lib/account/team';
import type { Account } from '#lib/item/account';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, runtime, account, operations, wire } = await openTestTable();

const NONE = { roles: [], apps: [], teams: [] };
const add = (to: Account, input: Partial<Record<keyof typeof NONE, string[]>>) =>
  addMemberships(table, to, { ...NONE, ...input });
const removeFrom = (from: Account, input: Partial<Record<keyof typeof NONE, string[]>>) =>
  removeMemberships(table, from, { ...NONE, ...input });

const teams = Object.fromEntries(
  await Promise.all(
    ['A', 'B', 'C'].map(
      async (short) =>
        [short, await createTeam(runtime, { short, name: `Team ${short}`, type: 'internal' })] as const,
    ),
  ),
);
const idOf = (short: string) => teams[short]?.team_id;
const shortsOf = (of: Account) => of.teams.map(({ team_short }) => team_short);

test('the default team of who has none is empty', async () => {
  expect(defaultTeam(undefined)).toEqual({ team_id: '', team_name: '' });
  const [membership] = await membershipsIn(table, ['A']);
  expect(defaultTeam(membership)).toEqual({ team_id: idOf('A'), team_name: 'Team A' });
});

describe('adding', () => {
  test('puts what is new behind what there is, each once, and touches nothing else', async () => {
    const before = await account({ roles: ['r'], apps: ['x', 'y'], teams: ['B'] });
    const after = await add(before, {
      roles: ['s', 'r', 's'],
      apps: ['y', 'z', 'z'],
      teams: ['c', 'b', 'C', 'a'],
    });
    const expected = {
      ...before,
      roles: ['r', 's'],
      apps: ['x', 'y', 'z'],
      teams: await membershipsIn(table, ['B', 'C', 'A']),
    };
    expect(after).toMatchObject(expected);
    expect(await get(table, accountKey(before.username))).toMatchObject(after);
  });

  test('makes the first team the default of who has none', async () => {
    expect(await add(await account(), { teams: ['b', 'a'] })).toMatchObject({
      team_id: idOf('B'),
      team_name: 'Team B',
    });
  });

  test('leaves who has a default team with it', async () => {
    expect(await add(await account({ teams: ['A'] }), { teams: ['B'] })).toMatchObject({
      team_id: idOf('A'),
      team_name: 'Team A',
    });
  });

  test('leaves the default application', async () => {
    expect(await add(await account({ apps: ['y', 'x'] }), { apps: ['a'] })).toMatchObject({
      user_app_name: 'y',
    });
  });

  test('of nothing changes nothing', async () => {
    const before = await account({ roles: ['r'], teams: ['A'] });
    expect(await add(before, {})).toMatchObject(before);
    const teamless = await account();
    expect(await add(teamless, {})).toMatchObject(teamless);
  });

  test('is all or nothing where a team is unknown', async () => {
    const before = await account();
    wire.reset();
    await expect(add(before, { roles: ['r'], teams: ['A', 'unknown'] })).rejects.toMatchObject({
      code: 'team_not_found',
    });
    expect(operations()).toEqual(['BatchGetItem']);
  });

  test('reaches cancelled accounts too', async () => {
    const cancelled = await setAttributes(table, await account(), { isactive: false });
    expect(await add(cancelled, { roles: ['r'] })).toMatchObject({ roles: ['r'], isactive: false });
  });
});

describe('removing', () => {
  test('takes what is named, in any case of a team, and touches nothing else', async () => {
    const before = await account({ roles: ['r', 's'], apps: ['x', 'y'], teams: ['A', 'B'] });
    const after = await removeFrom(before, { roles: ['s', 'u'], apps: ['y', 'w'], teams: ['b', 'C'] });
    expect(after).toMatchObject({
      ...before,
      roles: ['r'],
      apps: ['x'],
      teams: await membershipsIn(table, ['A']),
    });
    expect(await get(table, accountKey(before.username))).toMatchObject(after);
  });

  test('makes the first team left the default, where it takes that', async () => {
    const before = await account({ teams: ['A', 'B', 'C'] });
    expect(await removeFrom(before, { teams: ['a'] })).toMatchObject({
      team_id: idOf('B'),
      team_name: 'Team B',
    });
  });

  test('leaves the default team, where it takes another before it', async () => {
    const before = await setAttributes(table, await account({ teams: ['A', 'B', 'C'] }), {
      team_id: idOf('C') as string,
      team_name: 'Team C',
    });
    expect(await removeFrom(before, { teams: ['A'] })).toMatchObject({
      team_id: idOf('C'),
      team_name: 'Team C',
    });
  });

  test('of the last team leaves no default', async () => {
    const after = await removeFrom(await account({ teams: ['A'] }), { teams: ['A'] });
    expect(after).toMatchObject({ teams: [], team_id: '', team_name: '' });
  });

  test('makes the first application left the default, where it takes that', async () => {
    const before = await account({ apps: ['x', 'y', 'z'] });
    expect(await removeFrom(before, { apps: ['x'] })).toMatchObject({
      apps: ['y', 'z'],
      user_app_name: 'y',
    });
  });

  test('leaves the default application, where it takes another before it', async () => {
    const before = await setAttributes(table, await account({ apps: ['x', 'y', 'z'] }), {
      user_app_name: 'z',
    });
    expect(await removeFrom(before, { apps: ['x'] })).toMatchObject({ user_app_name: 'z' });
  });

  test('of the last application is refused', async () => {
    const before = await account({ apps: ['x', 'y'], roles: ['r'] });
    await expect(removeFrom(before, { apps: ['y', 'x'], roles: ['r'] })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'apps', message: 'An account keeps at least one application' }],
    });
    expect(await get(table, accountKey(before.username))).toMatchObject(before);
  });

  test('is all or nothing where a team is unknown', async () => {
    const before = await account({ roles: ['r'], teams: ['A'] });
    await expect(removeFrom(before, { roles: ['r'], teams: ['unknown'] })).rejects.toMatchObject({
      code: 'team_not_found',
    });
    expect(await get(table, accountKey(before.username))).toMatchObject(before);
  });
});

describe.each([
  ['adding', addMemberships],
  ['removing', removeMemberships],
] as const)('%s takes no', (_verb, change) => {
  test.each([
    ['role that is no name', { roles: ['a b'] }, 'roles.0'],
    ['application that is no name', { apps: [''] }, 'apps.0'],
    ['team that is no text', { teams: [7] }, 'teams.0'],
    ['other property', { names: [] }, 'names'],
  ])('%s', async (_what, input, field) => {
    const before = await account();
    wire.reset();
    await expect(change(table, before, { ...NONE, ...input } as never)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ field }],
    });
    expect(operations()).toEqual([]);
  });
});

describe('of what has changed since the account was read, nothing is lost:', () => {
  test('a role', async () => {
    const stale = await account({ roles: ['r'] });
    await add(stale, { roles: ['meanwhile'] });
    expect((await add(stale, { roles: ['s'] })).roles).toEqual(['r', 'meanwhile', 's']);
    expect((await removeFrom(stale, { roles: ['r'] })).roles).toEqual(['meanwhile', 's']);
  });

  test('an application', async () => {
    const stale = await account({ apps: ['x', 'y'] });
    await add(stale, { apps: ['meanwhile'] });
    expect((await add(stale, { roles: ['s'] })).apps).toEqual(['x', 'y', 'meanwhile']);
    expect((await removeFrom(stale, { apps: ['x'] })).apps).toEqual(['y', 'meanwhile']);
  });

  test('a team', async () => {
    const stale = await account({ teams: ['A'] });
    await add(stale, { teams: ['B'] });
    expect(shortsOf(await add(stale, { teams: ['C'] }))).toEqual(['A', 'B', 'C']);
    expect(shortsOf(await removeFrom(stale, { teams: ['A'] }))).toEqual(['B', 'C']);
  });

  test('the default team', async () => {
    const stale = await account({ teams: ['A', 'B'] });
    await setAttributes(table, stale, { team_id: idOf('B') as string, team_name: 'Team B' });
    expect(await add(stale, { roles: ['s'] })).toMatchObject({ team_id: idOf('B'), team_name: 'Team B' });
  });

  test('of four additions at once, none', async () => {
    const before = await account();
    const roles = Array.from({ length: 4 }, (_, n) => `role-${n}`);
    await Promise.all(roles.map((role) => add(before, { roles: [role] })));
    const after = await get(table, accountKey(before.username));
    expect([...(after?.roles ?? [])].sort()).toEqual(roles);
  });
});
