import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_APPS, MAX_ROLES, MAX_TEAMS } from '#lib/account/account';
import { addMemberships, copyMemberships, defaultTeam, removeMemberships } from '#lib/account/memberships';
import { membershipsIn } from '#lib/account/team';
import type { Account } from '#lib/item/account';
import { openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, account, stored, team, operations, wire } = await openTestTable();

type Named = Partial<Record<'roles' | 'apps' | 'teams', string[]>>;
const NONE = { roles: [], apps: [], teams: [] };
const add = (to: Account, input: Named) => addMemberships(table, to, { ...NONE, ...input });
const removeFrom = (from: Account, input: Named) => removeMemberships(table, from, { ...NONE, ...input });
const copy = (source: Account, target: Account) => copyMemberships(table, source, target);

const [A, B, C] = await membershipsIn(
  table,
  (await Promise.all(['A', 'B', 'C'].map(team))).map(({ team_short }) => team_short),
);
const defaultIs = (one: typeof A) => defaultTeam(one);

test('defaultTeam is empty without a team', () => {
  expect(defaultTeam(undefined)).toEqual({ team_id: '', team_name: '' });
  expect(defaultTeam(A)).toEqual({ team_id: A?.team_id, team_name: 'Team A' });
});

test('addMemberships appends what is new, each once, and changes nothing else', async () => {
  const before = await account({ roles: ['r'], apps: ['y', 'x'], teams: ['B'], isactive: false });
  const after = await add(before, {
    roles: ['s', 'r', 's'],
    apps: ['x', 'a', 'a'],
    teams: ['c', 'b', 'C', 'a'],
  });
  expect(after).toMatchObject({
    ...before,
    roles: ['r', 's'],
    apps: ['y', 'x', 'a'],
    teams: [B, C, A],
    user_app_name: 'y',
    ...defaultIs(B),
  });
  expect(await stored(before)).toMatchObject(after);
});

test('addMemberships makes the first team the default of an account without one', async () => {
  expect(await add(await account(), { teams: ['b', 'a'] })).toMatchObject(defaultIs(B));
  const teamless = await account();
  expect(await add(teamless, {})).toMatchObject(teamless);
});

test('removeMemberships removes what is named, teams in any case, and changes nothing else', async () => {
  const before = await account({ roles: ['r', 's'], apps: ['x', 'y'], teams: ['A', 'B'] });
  const after = await removeFrom(before, { roles: ['s', 'u'], apps: ['y', 'w'], teams: ['b', 'C'] });
  expect(after).toMatchObject({ ...before, roles: ['r'], apps: ['x'], teams: [A] });
  expect(await stored(before)).toMatchObject(after);
});

test.each([
  ['the first ones left when the defaults are removed', A, 'x', ['a'], B, 'y'],
  ['the defaults when others are removed', C, 'z', ['A'], C, 'z'],
  ['no team when the last one is removed', A, 'x', ['A', 'B', 'C'], undefined, 'y'],
])('removeMemberships leaves as default %s', async (_what, from, user_app_name, teams, to, app) => {
  const before = await account({
    apps: ['x', 'y', 'z'],
    user_app_name,
    teams: ['A', 'B', 'C'],
    ...defaultIs(from),
  });
  const after = await removeFrom(before, { apps: ['x'], teams });
  expect(after).toMatchObject({ apps: ['y', 'z'], user_app_name: app, ...defaultIs(to) });
});

test('removeMemberships refuses to remove the last application', async () => {
  const before = await account({ apps: ['x', 'y'], roles: ['r'] });
  await expect(removeFrom(before, { apps: ['y', 'x'], roles: ['r'] })).rejects.toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'apps', message: 'An account keeps at least one application' }],
  });
  expect(await stored(before)).toMatchObject(before);
});

describe.each([
  ['addMemberships', addMemberships],
  ['removeMemberships', removeMemberships],
] as const)('%s', (_name, change) => {
  test('refuses invalid names before any request', async () => {
    const before = await account();
    wire.reset();
    for (const [field, input] of [
      ['roles.0', { roles: ['a b'] }],
      ['apps.0', { apps: [''] }],
      ['teams.0', { teams: [7] }],
      ['names', { names: [] }],
    ] as const)
      await expect(change(table, before, { ...NONE, ...input } as never)).rejects.toMatchObject({
        code: 'invalid_request',
        errors: [{ field }],
      });
    expect(operations()).toEqual([]);
  });

  test('changes nothing when a team is unknown', async () => {
    const before = await account({ roles: ['r'], teams: ['A'] });
    await expect(
      change(table, before, { ...NONE, roles: ['r', 's'], teams: ['B', 'unknown'] }),
    ).rejects.toMatchObject({ code: 'team_not_found' });
    expect(await stored(before)).toMatchObject(before);
  });
});

test('copyMemberships adds the roles and teams that the target lacks, and changes nothing else', async () => {
  const source = await account({
    roles: ['a', 'b'],
    teams: ['C', 'A', 'B'],
    apps: ['billing'],
    isactive: false,
  });
  const target = await account({ roles: ['b', 'c'], teams: ['A'], apps: ['x', 'y'] });
  expect(await copy(source, target)).toEqual({
    source: source.username,
    target: target.username,
    roles_added: ['a'],
    teams_added: [C?.team_id, B?.team_id],
  });
  const after = await stored(target);
  expect(after).toMatchObject({ ...target, roles: ['b', 'c', 'a'], teams: [A, C, B] });
  expect(await stored(source)).toEqual(source);
  expect(await copy(source, after)).toMatchObject({ roles_added: [], teams_added: [] });
  expect(await stored(target)).toEqual(after);
});

test.each([
  ['takes the default team of the source when the target has none', ['A', 'B'], [], B],
  ['keeps the default team of the target', ['A', 'B'], ['C'], C],
  ['leaves no default when neither has one', [], [], undefined],
])('copyMemberships %s', async (_what, ofSource, ofTarget, expected) => {
  const source = await account({ teams: ofSource, ...(ofSource.length > 0 ? defaultIs(B) : {}) });
  const target = await account({ teams: ofTarget });
  await copy(source, target);
  expect(await stored(target)).toMatchObject(defaultIs(expected));
});

test('copyMemberships reports only what it added itself when the target has changed since it was read', async () => {
  const source = await account({ roles: ['a', 'b'], teams: ['A', 'B'] });
  const stale = await account();
  await add(stale, { roles: ['a', 'x'], teams: ['B', 'C'] });
  expect(await copy(source, stale)).toMatchObject({ roles_added: ['b'], teams_added: [A?.team_id] });
  expect(await stored(stale)).toMatchObject({
    roles: ['a', 'x', 'b'],
    teams: [B, C, A],
    ...defaultIs(B),
  });
});

test('copyMemberships refuses a cancelled target, also when it was cancelled since it was read', async () => {
  const [source, stale] = [await account({ roles: ['a'] }), await account()];
  const cancelled = await setAttributes(table, stale, { isactive: false });
  for (const target of [stale, cancelled])
    await expect(copy(source, target)).rejects.toMatchObject({ code: 'account_cancelled' });
  expect(await stored(stale)).toEqual(cancelled);
});

test.each<[string, Partial<Account>]>([
  ['roles', { roles: ['late'] }],
  ['applications', { apps: ['late'] }],
  ['teams', { teams: [C as NonNullable<typeof C>] }],
  ['default team', { team_id: 'late' }],
  ['state', { isactive: false }],
])('a change of memberships keeps %s that changed since the account was read', async (_what, meanwhile) => {
  const stale = await account({ teams: ['A'] });
  const fresh = await setAttributes(table, stale, meanwhile);
  expect(await add(stale, { roles: ['s'] })).toEqual({ ...fresh, roles: [...fresh.roles, 's'] });
});

test('a change of memberships keeps all of four additions at once', async () => {
  const before = await account();
  const roles = ['a', 'b', 'c', 'd'];
  await Promise.all(roles.map((role) => add(before, { roles: [role] })));
  expect([...(await stored(before)).roles].sort()).toEqual(roles);
});

const LIMITS = [
  ['roles', 'role_limit', MAX_ROLES],
  ['teams', 'team_limit', MAX_TEAMS],
  ['apps', 'app_limit', MAX_APPS],
] as const;
const names = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `n-${from + n}`);
beforeAll(async () => {
  for (const short of names(0, MAX_TEAMS + 1)) await team(short);
});

test.each(LIMITS)('the limit of %s is reached and not exceeded by an addition', async (kind, code, max) => {
  const before = await account({ [kind]: names(0, max - 1) });
  await expect(add(before, { [kind]: names(max - 1, max + 1) })).rejects.toMatchObject({ code });
  expect(await stored(before)).toMatchObject(before);
  expect((await add(before, { [kind]: names(max - 2, max) }))[kind]).toHaveLength(max);
  await expect(add(before, { [kind]: names(max, max + 1) }), 'as it was read').rejects.toMatchObject({
    code,
  });
  expect((await stored(before))[kind]).toHaveLength(max);
});

test.each(LIMITS.slice(0, 2))(
  'the limit of %s is reached and not exceeded by a copy',
  async (kind, code, max) => {
    const target = await account({ [kind]: names(0, 60) });
    const tooMany = await account({ roles: ['other'], [kind]: names(50, max + 1) });
    await expect(copy(tooMany, target)).rejects.toMatchObject({ code });
    expect(await stored(target)).toMatchObject(target);
    await copy(await account({ [kind]: names(50, max) }), target);
    expect((await stored(target))[kind]).toHaveLength(max);
  },
);
