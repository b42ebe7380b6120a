import { beforeAll, expect, test } from 'vitest';
import { MAX_APPS, MAX_ROLES, MAX_TEAMS } from '#lib/account/maxima';
import {
  changeMemberships,
  copyMemberships,
  type MembershipChange,
  membershipDetails,
} from '#lib/account/memberships';
import { switchContext } from '#lib/account/profile/context';
import type { Account } from '#lib/item/account';
import { defaultTeam } from '#lib/item/team';
import { putAll } from '#lib/table/bulk';
import { teamKey } from '#lib/table/keys';
import { membershipsIn } from '#lib/team/team';
import { COLLISION } from '../../wire/dynamodb-proxy.ts';
import { type AccountOverrides, openTestTable } from '../support/engine.ts';
import { membership } from '../support/items.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { shortestWaits } from '../support/shortest-waits.ts';
import { failing } from '../table/inputs.ts';

const { runtime, table, wire, account, stored, team } = await openTestTable();

type Named = NonNullable<MembershipChange['add']>;
const change = (of: Account, input: MembershipChange) => changeMemberships(runtime, of, input);
const add = (to: Account, input: Named) => change(to, { add: input });
const remove = (from: Account, input: Named) => change(from, { remove: input });
const copy = async (source: Account, target: Account) =>
  (await copyMemberships(runtime, source, target)).data;

shortestWaits();

const SHORTS = ['A', 'B', 'C'];
for (const short of SHORTS) await team(short);
const [A, B, C] = await membershipsIn(table, SHORTS);
const ALL = { apps: ['x', 'y', 'z'], teams: SHORTS };
const removing = (apps: string[], teams: string[]) => ({ remove: { apps, teams } });
const holding = (...teams: (typeof A)[]) => ({ teams: teams as Account['teams'] });
const LEFT = { apps: ['y', 'z'], ...holding(B, C) };

test.each<[string, before: AccountOverrides, MembershipChange, expected: Partial<Account>]>([
  [
    'appends new names, each once',
    { roles: ['r'], apps: ['y', 'x'], teams: ['B'] },
    { add: { roles: ['s', 'r', 's'], apps: ['x', 'a', 'a'], teams: ['c', 'b', 'C', 'a'] } },
    { roles: ['r', 's'], apps: ['y', 'x', 'a'], ...holding(B, C, A), user_app_name: 'y' },
  ],
  [
    'makes the first added team the default of an account without one',
    {},
    { add: { teams: ['b', 'a'] } },
    { ...holding(B, A), ...defaultTeam(B) },
  ],
  [
    'removes the named ones, teams in any case, from a cancelled account too',
    { roles: ['r', 's'], apps: ['x', 'y'], teams: ['A', 'B'], isactive: false },
    { add: { roles: [] }, remove: { roles: ['s', 'u'], apps: ['y', 'w'], teams: ['b', 'C'] } },
    { roles: ['r'], apps: ['x'], ...holding(A) },
  ],
  [
    'leaves the first ones as defaults when the defaults are removed',
    { ...ALL, user_app_name: 'x', ...defaultTeam(A) },
    removing(['x'], ['a']),
    { ...LEFT, user_app_name: 'y', ...defaultTeam(B) },
  ],
  [
    'leaves the defaults when others are removed',
    { ...ALL, user_app_name: 'z', ...defaultTeam(C) },
    removing(['x'], ['A']),
    LEFT,
  ],
  [
    'leaves no default when the last team is removed',
    ALL,
    removing([], SHORTS),
    { ...holding(), ...defaultTeam(undefined) },
  ],
  [
    'replaces everything at once',
    { roles: ['r'], apps: ['x'], teams: ['A'], user_app_name: 'x', ...defaultTeam(A) },
    { add: { roles: ['s'], apps: ['y'], teams: ['B'] }, remove: { roles: ['r'], apps: ['x'], teams: ['A'] } },
    { roles: ['s'], apps: ['y'], ...holding(B), user_app_name: 'y', ...defaultTeam(B) },
  ],
])('changeMemberships %s, and changes nothing else', async (_what, overrides, input, expected) => {
  const before = await account(overrides);
  const { after } = await change(before, input);
  expect(after).toMatchObject({ ...before, ...expected });
  expect(await stored(before)).toMatchObject(after);
  expect((await change(after, input)).after).toEqual(after);
});

const BOTH = 'Must not be added and removed';

test.each<[field: string, input: object, message?: string]>([
  ['body', {}, 'Must name a role, a team or an application'],
  ['body', { add: { roles: [] }, remove: {} }, 'Must name a role, a team or an application'],
  ['names', { add: { roles: ['s'] }, names: {} }],
  ['add.names', { add: { roles: ['s'], names: [] } }],
  ['add.roles.0', { add: { roles: ['a b'] } }],
  ['remove.apps.0', { remove: { apps: [''] } }],
  ['add.roles.0', { add: { roles: ['sys_admin'] } }],
  ['add.teams.0', { add: { teams: [7] } }],
  ['add.teams.0', { add: { teams: [''] } }],
  ['remove.teams.1', { remove: { teams: ['A', 'x'.repeat(33)] } }],
  ['add.teams', { add: { teams: Array(MAX_TEAMS + 1).fill('A') } }],
  ['remove.roles.1', { add: { roles: ['s'] }, remove: { roles: ['r', 's'] } }, BOTH],
  ['remove.apps.0', { add: { apps: ['y'] }, remove: { apps: ['y'] } }, BOTH],
  ['remove.teams.0', { add: { teams: ['ops'] }, remove: { teams: ['OPS'] } }, BOTH],
  [
    'remove.apps',
    { add: { roles: ['s'] }, remove: { apps: ['core'] } },
    'An account keeps at least one application',
  ],
])('changeMemberships refuses %s of %j, and changes nothing', async (field, input, message) => {
  const before = await stored(await account({ roles: ['r'] }));
  const errors = [{ field, message: message ?? expect.any(String) }];
  const failure = { code: 'invalid_request', errors };
  await expect(change(before, input)).rejects.toMatchObject(failure);
  expect(await stored(before)).toEqual(before);
});

test.each<[code: string, MembershipChange, AccountOverrides]>([
  ['team_not_found', { add: { roles: ['s'], teams: ['B', 'unknown'] } }, {}],
  ['team_not_found', { add: { roles: ['s'] }, remove: { teams: ['unknown'] } }, {}],
  ['account_cancelled', { add: { roles: ['r'] }, remove: { apps: ['x'] } }, { isactive: false }],
])('changeMemberships refuses with %s, and changes nothing', async (code, input, state) => {
  const before = await stored(await account({ roles: ['r'], apps: ['x', 'y'], teams: ['A'], ...state }));
  await expect(change(before, input)).rejects.toMatchObject({ code });
  expect(await stored(before)).toEqual(before);
});

test('changeMemberships adds an unknown role of the service with force, which can be copied and removed', async () => {
  const roles = ['sys_admin'];
  const { after } = await changeMemberships(runtime, await account({}), { add: { roles } }, { force: true });
  expect(after.roles).toEqual(roles);
  const { data } = await copyMemberships(runtime, after, await account({}));
  expect(data.roles_added).toEqual(roles);
  expect((await change(after, { remove: { roles } })).after.roles).toEqual([]);
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

test('copyMemberships refuses a cancelled target, also when it was cancelled since it was read', async () => {
  const [source, stale] = [await account({ roles: ['a'] }), await account()];
  const cancelled = await setAttributes(table, stale, { isactive: false });
  for (const target of [stale, cancelled])
    await expect(copy(source, target)).rejects.toMatchObject({ code: 'account_cancelled' });
  expect(await stored(stale)).toEqual(cancelled);
});

test('changeMemberships succeeds although the account switches its context seven times, and keeps the last', async () => {
  const target = await account({ roles: ['r'], apps: ['x', 'y'] });
  let switches = 0;
  wire.script(async (operation) => {
    if (operation === 'TransactWriteItems' && switches++ < 7)
      await switchContext(table, await stored(target), switches % 2 ? 'y' : 'x');
    return undefined;
  });
  expect((await remove(target, { roles: ['r'] })).after).toMatchObject({ roles: [], user_app_name: 'y' });
  expect(await stored(target)).toMatchObject({ roles: [], user_app_name: 'y' });
  expect(switches).toBe(8);
});

test('changeMemberships succeeds after 40 collisions with other transactions', async () => {
  const target = await account({ roles: ['r'] });
  wire.script(failing(COLLISION, 40));
  expect((await remove(target, { roles: ['r'] })).after.roles).toEqual([]);
});

test('changeMemberships keeps all of four changes at once', async () => {
  const before = await account({ roles: ['u', 'v'] });
  const ends = await Promise.all([
    ...['a', 'b'].map((role) => add(before, { roles: [role] })),
    ...['u', 'v'].map((role) => remove(before, { roles: [role] })),
  ]);
  const { roles, transitions } = await stored(before);
  expect([[...roles].sort(), transitions]).toEqual([['a', 'b'], 4]);
  // Each reports its own change only, as if they had come one after the other.
  const details = ends.map(({ before, after }) => membershipDetails(after, before));
  expect(details.map((each) => Object.values(each).flat())).toEqual([['a'], ['b'], ['u'], ['v']]);
});

const names = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `n-${from + n}`);
beforeAll(() => {
  const teams = names(0, MAX_TEAMS + 1).map((short, n) => ({
    ...teamKey(short),
    ...membership(n),
    team_short: short,
  }));
  return putAll(table, teams);
});

test.each([
  ['roles', 'role_limit', MAX_ROLES],
  ['teams', 'team_limit', MAX_TEAMS],
  ['apps', 'app_limit', MAX_APPS],
] as const)('the limit of %s is reached and not exceeded', async (kind, code, max) => {
  const before = await account({ [kind]: names(0, max - 1) });
  await expect(add(before, { [kind]: names(max - 1, max + 1) })).rejects.toMatchObject({ code });
  expect(await stored(before)).toMatchObject(before);
  expect((await add(before, { [kind]: names(max - 2, max) })).after[kind]).toHaveLength(max);
  const stale = add(before, { [kind]: names(max, max + 1) });
  await expect(stale).rejects.toMatchObject({ code });
  expect((await stored(before))[kind]).toHaveLength(max);
  const swap = { add: { [kind]: names(max, max + 1) }, remove: { [kind]: names(0, 1) } };
  expect((await change(before, swap)).after[kind]).toHaveLength(max);
  if (kind === 'apps') return;
  const target = await account({ [kind]: names(0, 60) });
  const tooMany = await account({ roles: ['other'], [kind]: names(50, max + 1) });
  await expect(copy(tooMany, target)).rejects.toMatchObject({ code });
  expect(await stored(target)).toMatchObject(target);
  await copy(await account({ [kind]: names(50, max) }), target);
  expect((await stored(target))[kind]).toHaveLength(max);
});
