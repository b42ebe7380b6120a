import { expect, test } from 'vitest';
import { changeMemberships } from '#lib/account/memberships';
import type { Account } from '#lib/item/account';
import { putAll } from '#lib/table/bulk';
import { accountKey, directoryIndex, SHARDS, teamKey, teamPassKey } from '#lib/table/keys';
import { SETTLED_MS } from '#lib/table/pass';
import { get } from '#lib/table/read';
import { remove as removeItem } from '#lib/table/write';
import { deleteTeam } from '#lib/team/delete';
import { followed, followTeams } from '#lib/team/follow';
import { renameTeam } from '#lib/team/rename';
import { createTeam } from '#lib/team/team';
import { MINUTE_MS } from '#lib/time';
import { matrix } from '../../matrix.ts';
import { newName } from '../../names.ts';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, openTestTable } from '../support/engine.ts';
import { accountItem, uuidOf } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { shortestWaits } from '../support/shortest-waits.ts';

const { table, runtime, wire, clock, account, stored, team, operations } = await openTestTable();
const ROOT = by('Root');
const rename = (short: string, name: string) => renameTeam(runtime, { short, name }, ROOT);
const remove = (short: string, to?: string) => deleteTeam(runtime, { short, to }, ROOT);
const follow = () => followTeams(runtime, 'run');
const logs = logLines();

shortestWaits();

/** A run that begins when every change is settled. */
function finish() {
  clock.time += SETTLED_MS;
  return follow();
}

const teamsOf = async (it: Account) => {
  const { teams, team_id, team_name, transitions } = await stored(it);
  const names = teams.map(({ team_short, team_name: name }) => `${team_short} ${name}`);
  return { names, isDefault: teams.findIndex((one) => one.team_id === team_id), team_name, transitions };
};

test('followTeams reads only the teams while none has changed', async () => {
  await team('Quiet');
  wire.reset();
  expect(await follow()).toEqual({ examined: 0, changed: 0, completed: 0, left: 0 });
  expect(operations()).toEqual(['Query']);
  expect(logs).toEqual([]);
});

test('followTeams changes the name in every account, keeps levels, and counts no transition', async () => {
  await team('Named');
  const it = await account({ teams: ['Named'] });
  const teams = it.teams.map((one) => ({ ...one, teamuser_lvl: 'lead' }));
  await setAttributes(table, it, { teams, transitions: undefined });
  await rename('Named', 'New name');
  expect(await follow()).toMatchObject({ changed: 1, completed: 0, left: 1 });
  expect(await teamsOf(it)).toMatchObject({ names: ['Named New name'], team_name: 'New name' });
  expect(await stored(it)).toMatchObject({ teams: [{ teamuser_lvl: 'lead' }] });
  expect(await stored(it)).not.toHaveProperty('transitions');
  expect(await finish()).toMatchObject({ changed: 0, completed: 1, left: 0 });
  expect(await get(table, teamKey('Named'))).not.toHaveProperty('changed_at');
  expect(await get(table, teamPassKey)).toBeUndefined();
});

test('followTeams moves the members of a deleted team, then removes it', async () => {
  for (const short of ['Old', 'New', 'Other']) await team(short);
  const only = await account({ teams: ['Old'] });
  const both = await account({ teams: ['Old', 'Other', 'New'] });
  const led = both.teams.map((one) => ({ ...one, teamuser_lvl: 'lead' }));
  await setAttributes(table, both, { teams: led, transitions: undefined });
  const cancelled = await account({ teams: ['Old'], isactive: false });
  await remove('Old', 'New');
  expect(await follow()).toMatchObject({ changed: 3, left: 2 });
  expect(await teamsOf(only)).toEqual({
    names: ['New Team New'],
    isDefault: 0,
    team_name: 'Team New',
    transitions: 1,
  });
  expect(await teamsOf(cancelled)).toMatchObject({ names: ['New Team New'], transitions: 1 });
  expect(await teamsOf(both)).toEqual({
    names: ['Other Team Other', 'New Team New'],
    isDefault: 1,
    team_name: 'Team New',
    transitions: 1,
  });
  expect((await stored(both)).teams[1]).toMatchObject({ teamuser_lvl: 'lead' });
  expect(await get(table, teamKey('Old'))).toBeDefined();
  await finish();
  expect(await get(table, teamKey('Old'))).toBeUndefined();
  expect(await get(table, teamKey('New'))).toMatchObject({ team_name: 'Team New' });
  await expect(createTeam(runtime, { short: 'Old', name: 'Next', type: 'a' })).resolves.toBeDefined();
});

test('followTeams removes a membership that a team without successor has got meanwhile', async () => {
  await team('Late');
  await team('Kept');
  const it = await account({ teams: ['Late', 'Kept'] });
  const alone = await account({ teams: ['Late'] });
  for (const one of [it, alone]) await setAttributes(table, one, { teams: [] });
  await remove('Late');
  // The writes of requests that had read the team before its deletion.
  for (const one of [it, alone]) await setAttributes(table, one, { teams: one.teams });
  await follow();
  expect(await teamsOf(it)).toMatchObject({
    names: ['Kept Team Kept'],
    isDefault: 0,
    team_name: 'Team Kept',
  });
  expect(await stored(alone)).toMatchObject({ teams: [], team_id: '', team_name: '' });
  await finish();
});

test('followTeams moves members along successors that are deleted, too, and removes the last one last', async () => {
  for (const short of ['A', 'B', 'C']) await team(short);
  const it = await account({ teams: ['A', 'B'] });
  await remove('A', 'B');
  clock.time -= MINUTE_MS;
  // By a clock that is behind: this deletion is settled first.
  await remove('B', 'C');
  clock.time += SETTLED_MS;
  await follow();
  expect(await teamsOf(it)).toMatchObject({ names: ['C Team C'], transitions: 1 });
  expect(await get(table, teamKey('B'))).toBeDefined();
  clock.time += MINUTE_MS;
  await follow();
  expect(await get(table, teamKey('A'))).toBeUndefined();
  expect(await get(table, teamKey('B'))).toBeDefined();
  await finish();
  expect(await get(table, teamKey('B'))).toBeUndefined();
});

test('followTeams completes nothing by a pass that began before the change was settled and ended after', async () => {
  await team('Early');
  await account({ teams: ['Early'] });
  await rename('Early', 'Later');
  clock.time += SETTLED_MS - 1;
  wire.before('UpdateItem', async () => {
    clock.time += 2;
  });
  expect(await follow()).toMatchObject({ completed: 0, left: 1 });
  expect(await follow()).toMatchObject({ completed: 1, left: 0 });
});

test('followTeams completes no change of a team that has changed again meanwhile', async () => {
  await team('Twice');
  const it = await account({ teams: ['Twice'] });
  await rename('Twice', 'First');
  clock.time += SETTLED_MS;
  let runs = 0;
  wire.script(async (operation) => {
    if (operation === 'UpdateItem' && runs++ === 1) await rename('Twice', 'Second');
    return undefined;
  });
  expect(await follow()).toMatchObject({ completed: 0, left: 1 });
  wire.reset();
  await finish();
  expect(await teamsOf(it)).toMatchObject({ names: ['Twice Second'], team_name: 'Second' });
});

test('followTeams changes an account as it is by then, and passes one that is gone', async () => {
  await team('Race');
  await team('Won');
  const it = await account({ teams: ['Race'] });
  const gone = await account({ teams: ['Race'] });
  await rename('Race', 'Raced');
  wire.before('UpdateItem', async () => {
    await changeMemberships(runtime, await stored(it), { add: { teams: ['Won'] } });
    await removeItem(table, accountKey(gone.username));
  });
  await follow();
  expect(await teamsOf(it)).toMatchObject({
    names: ['Race Raced', 'Won Team Won'],
    team_name: 'Raced',
    transitions: 1,
  });
  await finish();
});

/** Enough members for several pages of the directory. */
const MANY = 40;

test.each(
  matrix(
    Array.from({ length: 12 }, (_, n) => n),
    (n) => n % 5 === 2,
  ),
)('members follow although every run is killed after %i more requests than the one before', async (n) => {
  const [from, to, other] = ['From', 'To', 'Else'].map((name) => `${name}-${n}`) as [string, string, string];
  for (const short of [from, to, other]) await team(short);
  const [one, two] = (await account({ teams: [from, other] })).teams;
  const names = Array.from({ length: MANY }, () => newName('member'));
  await putAll(
    table,
    names.map((username) => ({
      ...accountKey(username),
      ...directoryIndex(username),
      ...accountItem({
        username,
        teams: [one, two] as Account['teams'],
        team_id: one?.team_id,
        team_name: one?.team_name,
      }),
    })),
  );
  await rename(other, 'Renamed');
  await remove(from, to);
  for (let run = 0; run < 6; run++) {
    clock.time += 5 * MINUTE_MS;
    let sent = 0;
    wire.script(() => (sent++ >= n + run * 3 ? DOWN : undefined));
    await follow().catch(() => undefined);
  }
  wire.reset();
  for (let run = 0; run < 3; run++) await finish();
  expect(await get(table, teamKey(from))).toBeUndefined();
  expect(await get(table, teamKey(other))).not.toHaveProperty('changed_at');
  for (const username of names)
    expect(await teamsOf({ username } as Account)).toEqual({
      names: [`${to} Team ${to}`, `${other} Renamed`],
      isDefault: 0,
      team_name: `Team ${to}`,
      transitions: 1,
    });
});

const TEAM = (n: number, team_name = `Team ${n}`) => ({
  team_id: uuidOf(n),
  team_short: `t-${n}`,
  team_name,
  team_type: 'internal',
});
const member = (n: number, teamuser_lvl: string | null = null) => ({ ...TEAM(n), teamuser_lvl });

test.each([
  ['another team has changed', [member(1)], TEAM(2, 'New'), 2],
  ['the copies are as the team', [member(1, 'lead')], TEAM(1), 1],
])('followed leaves an account if %s', (_when, teams, present, changed) => {
  const it = accountItem({ teams, team_id: uuidOf(1), team_name: 'Team 1' });
  expect(followed(it, new Map([[uuidOf(changed), present]]))).toBeUndefined();
});

test('followed changes a default whose name alone is behind', () => {
  const it = accountItem({ teams: [member(1)], team_id: uuidOf(1), team_name: 'Former' });
  expect(followed(it, new Map([[uuidOf(1), TEAM(1)]]))).toEqual({
    teams: [member(1)],
    team_id: uuidOf(1),
    team_name: 'Team 1',
  });
});

test('followed leaves the default and moves two teams to one', () => {
  const it = accountItem({
    teams: [member(1), member(2), member(3)],
    team_id: uuidOf(2),
    team_name: 'Team 2',
  });
  const present = new Map([
    [uuidOf(1), TEAM(4)],
    [uuidOf(3), TEAM(4)],
  ]);
  expect(followed(it, present)).toEqual({ teams: [member(4), member(2)], transitions: 1 });
});

test('a member costs one write of its item and of its place in the directory, and nothing later', async () => {
  await team('Costly');
  for (let n = 0; n < 20; n++) await account({ teams: ['Costly'] });
  await rename('Costly', 'Paid');
  /** Units of what a run writes to accounts. */
  const unitsOf = async () => {
    wire.reset();
    await follow();
    const writes = wire.commands.filter(({ operation, input }) => {
      const { PK } = (input['Key'] ?? {}) as { PK?: { S: string } };
      return operation === 'UpdateItem' && PK?.S.startsWith('ACCOUNT#');
    });
    return { writes: writes.length, units: writes.reduce((sum, { units }) => sum + units, 0) };
  };
  expect(await unitsOf()).toEqual({ writes: 20, units: 40 });
  clock.time += SETTLED_MS;
  expect(await unitsOf()).toEqual({ writes: 0, units: 0 });
});

test('followTeams goes on where a page of 1 MB ends, in each partition', async () => {
  const { team_id, team_name } = await team('Large');
  const membership = { team_id, team_short: 'Large', team_name, team_type: 'internal', teamuser_lvl: null };
  const names = Array.from({ length: 24 }, () => newName('large'));
  // Five of the largest items are two pages of a partition.
  const bytes = 'x'.repeat(300_000);
  for (const username of names)
    await putAll(table, [
      {
        ...accountKey(username),
        ...directoryIndex(username),
        ...accountItem({ username, teams: [membership], team_id, team_name, user_avatar: bytes }),
      },
    ]);
  await rename('Large', 'Larger');
  wire.reset();
  await follow();
  expect(operations().filter((operation) => operation === 'Query').length).toBeGreaterThan(1 + SHARDS);
  for (const username of names)
    expect(await teamsOf({ username } as Account)).toMatchObject({ team_name: 'Larger' });
  await finish();
});
