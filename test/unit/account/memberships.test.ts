import { beforeAll, expect, test } from 'vitest';
import { MAX_APPS, MAX_ROLES, MAX_TEAMS } from '#lib/account/account';
import { addMemberships, copyMemberships, defaultTeam, removeMemberships } from '#lib/account/memberships';
import { switchContext } from '#lib/account/profile/context';
import { membershipsIn } from '#lib/account/team';
import type { Account } from '#lib/item/account';
import { type AccountOverrides, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';

const { table, account, stored, team, operations, wire } = await openTestTable();

type Named = Partial<Record<'roles' | 'apps' | 'teams', string[]>>;
const NONE = { roles: [], apps: [], teams: [] };
const add = (to: Account, input: Named) => addMemberships(table, to, { ...NONE, ...input });
const remove = (from: Account, input: Named) => removeMemberships(table, from, { ...NONE, ...input });
const copy = (source: Account, target: Account) => copyMemberships(table, source, target);

const SHORTS = ['A', 'B', 'C'];
for (const short of SHORTS) await team(short);
const [A, B, C] = await membershipsIn(table, SHORTS);
const ALL = { apps: ['x', 'y', 'z'], teams: SHORTS };
const named = (apps: string[], teams: string[]): Named => ({ apps, teams });
const holding = (...teams: (typeof A)[]) => ({ teams: teams as Account['teams'] });
const LEFT = { apps: ['y', 'z'], ...holding(B, C) };

test('defaultTeam has the id and the name of a team, and is empty without one', () => {
  expect(defaultTeam(undefined)).toEqual({ team_id: '', team_name: '' });
  expect(defaultTeam(A)).toEqual({ team_id: A?.team_id, team_name: 'Team A' });
});

test.each<[string, typeof add, before: AccountOverrides, Named, expected: Partial<Account>]>([
  [
    'addMemberships appends what is new, each once',
    add,
    { roles: ['r'], apps: ['y', 'x'], teams: ['B'], isactive: false },
    { roles: ['s', 'r', 's'], apps: ['x', 'a', 'a'], teams: ['c', 'b', 'C', 'a'] },
    { roles: ['r', 's'], apps: ['y', 'x', 'a'], ...holding(B, C, A), user_app_name: 'y' },
  ],
  [
    'addMemberships makes the first team the default',
    add,
    {},
    { teams: ['b', 'a'] },
    { ...holding(B, A), ...defaultTeam(B) },
  ],
  ['addMemberships accepts no name', add, {}, {}, defaultTeam(undefined)],
  [
    'removeMemberships removes what is named, teams in any case',
    remove,
    { roles: ['r', 's'], apps: ['x', 'y'], teams: ['A', 'B'] },
    { roles: ['s', 'u'], apps: ['y', 'w'], teams: ['b', 'C'] },
    { roles: ['r'], apps: ['x'], ...holding(A) },
  ],
  [
    'removeMemberships leaves the first ones as defaults when the defaults are removed',
    remove,
    { ...ALL, user_app_name: 'x', ...defaultTeam(A) },
    named(['x'], ['a']),
    { ...LEFT, user_app_name: 'y', ...defaultTeam(B) },
  ],
  [
    'removeMemberships leaves the defaults when others are removed',
    remove,
    { ...ALL, user_app_name: 'z', ...defaultTeam(C) },
    named(['x'], ['A']),
    LEFT,
  ],
  [
    'removeMemberships leaves no default when the last team is removed',
    remove,
    ALL,
    named([], SHORTS),
    { ...holding(), ...defaultTeam(undefined) },
  ],
])('%s, and changes nothing else', async (_what, change, overrides, input, expected) => {
  const before = await account(overrides);
  const after = await change(before, input);
  expect(after).toMatchObject({ ...before, ...expected });
  expect(await stored(before)).toMatchObject(after);
});

test('removeMemberships refuses to remove the last application', async () => {
  const before = await account({ apps: ['x', 'y'], roles: ['r'] });
  const errors = [{ field: 'apps', message: 'An account keeps at least one application' }];
  const removal = remove(before, { apps: ['y', 'x'], roles: ['r'] });
  await expect(removal).rejects.toMatchObject({ code: 'invalid_request', errors });
  expect(await stored(before)).toMatchObject(before);
});

test.each([addMemberships, removeMemberships])('$name refuses invalid names and teams', async (change) => {
  const before = await account({ roles: ['r'], teams: ['A'] });
  wire.reset();
  const changing = (input: object) => change(table, before, { ...NONE, ...input } as never);
  for (const [field, input] of [
    ['roles.0', { roles: ['a b'] }],
    ['apps.0', { apps: [''] }],
    ['teams.0', { teams: [7] }],
    ['names', { names: [] }],
  ] as const)
    await expect(changing(input)).rejects.toMatchObject({ code: 'invalid_request', errors: [{ field }] });
  expect(operations()).toEqual([]);
  const unknown = changing({ roles: ['r', 's'], teams: ['B', 'unknown'] });
  await expect(unknown).rejects.toMatchObject({ code: 'team_not_found' });
  expect(await stored(before)).toMatchObject(before);
});

test('copyMemberships adds the roles and teams that the target lacks, and changes nothing else', async () => {
  const teams = ['C', 'A', 'B'];
  const source = await account({ roles: ['a', 'b'], teams, apps: ['billing'], isactive: false });
  const target = await account({ roles: ['b', 'c'], teams: ['A'], apps: ['x', 'y'] });
  const names = { source: source.username, target: target.username };
  const added = { roles_added: ['a'], teams_added: [C?.team_id, B?.team_id] };
  expect(await copy(source, target)).toEqual({ ...names, ...added });
  const after = await stored(target);
  expect(after).toMatchObject({ ...target, roles: ['b', 'c', 'a'], teams: [A, C, B] });
  expect(await stored(source)).toEqual(source);
  expect(await copy(source, after)).toEqual({ ...names, roles_added: [], teams_added: [] });
  expect(await stored(target)).toEqual(after);
});

test.each([
  ['takes the default team of the source when the target has none', ['A', 'B'], [], B],
  ['keeps the default team of the target', ['A', 'B'], ['C'], C],
  ['leaves no default when neither has one', [], [], undefined],
])('copyMemberships %s', async (_what, ofSource, ofTarget, expected) => {
  const source = await account({ teams: ofSource, ...(ofSource.length > 0 ? defaultTeam(B) : {}) });
  const target = await account({ teams: ofTarget });
  await copy(source, target);
  expect(await stored(target)).toMatchObject(defaultTeam(expected));
});

test('copyMemberships reports only what it added itself when the target has changed since it was read', async () => {
  const source = await account({ roles: ['a', 'b'], teams: ['A', 'B'] });
  const stale = await account();
  await add(stale, { roles: ['a', 'x'], teams: ['B', 'C'] });
  expect(await copy(source, stale)).toMatchObject({ roles_added: ['b'], teams_added: [A?.team_id] });
  expect(await stored(stale)).toMatchObject({ roles: ['a', 'x', 'b'], teams: [B, C, A], ...defaultTeam(B) });
});

test('copyMemberships refuses a cancelled target, also when it was cancelled since it was read', async () => {
  const [source, stale] = [await account({ roles: ['a'] }), await account()];
  const cancelled = await setAttributes(table, stale, { isactive: false });
  for (const target of [stale, cancelled])
    await expect(copy(source, target)).rejects.toMatchObject({ code: 'account_cancelled' });
  expect(await stored(stale)).toEqual(cancelled);
});

test.each([
  ['addMemberships', add],
  ['removeMemberships', remove],
])('%s keeps the context when it was switched since the account was read', async (_name, change) => {
  const stale = await account({ apps: ['x', 'y', 'z'] });
  await switchContext(table, stale, 'y');
  expect(await change(stale, { apps: ['z'] })).toMatchObject({ user_app_name: 'y' });
  expect(await stored(stale)).toMatchObject({ user_app_name: 'y' });
});

test('addMemberships keeps all of four additions at once', async () => {
  const before = await account();
  const roles = ['a', 'b', 'c', 'd'];
  await Promise.all(roles.map((role) => add(before, { roles: [role] })));
  expect([...(await stored(before)).roles].sort()).toEqual(roles);
});

const names = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `n-${from + n}`);
beforeAll(async () => {
  for (const short of names(0, MAX_TEAMS + 1)) await team(short);
});

test.each([
  ['roles', 'role_limit', MAX_ROLES],
  ['teams', 'team_limit', MAX_TEAMS],
  ['apps', 'app_limit', MAX_APPS],
] as const)('the limit of %s is reached and not exceeded', async (kind, code, max) => {
  const before = await account({ [kind]: names(0, max - 1) });
  await expect(add(before, { [kind]: names(max - 1, max + 1) })).rejects.toMatchObject({ code });
  expect(await stored(before)).toMatchObject(before);
  expect((await add(before, { [kind]: names(max - 2, max) }))[kind]).toHaveLength(max);
  const stale = add(before, { [kind]: names(max, max + 1) });
  await expect(stale).rejects.toMatchObject({ code });
  expect((await stored(before))[kind]).toHaveLength(max);
  if (kind === 'apps') return;
  const target = await account({ [kind]: names(0, 60) });
  const tooMany = await account({ roles: ['other'], [kind]: names(50, max + 1) });
  await expect(copy(tooMany, target)).rejects.toMatchObject({ code });
  expect(await stored(target)).toMatchObject(target);
  await copy(await account({ [kind]: names(50, max) }), target);
  expect((await stored(target))[kind]).toHaveLength(max);
});
