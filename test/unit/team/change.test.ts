import { beforeEach, expect, test } from 'vitest';
import { changeMemberships, copyMemberships } from '#lib/account/memberships';
import { teamKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { deleteTeam } from '#lib/team/delete';
import { renameTeam } from '#lib/team/rename';
import { createTeam, listTeams, membershipsIn } from '#lib/team/team';
import { COLLISION } from '../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { emptyOutbox, openTestBus } from '../support/event-bus.ts';
import { shortestWaits } from '../support/shortest-waits.ts';

const bench = await openTestTable({ Events: 'team_create,team_rename,team_delete' });
const { table, wire, clock, account, stored, team, operations } = bench;
const bus = await openTestBus();
const runtime = { ...bench.runtime, publish: bus.publish };
const ROOT = by('Root');
const rename = (short: string, name: string) => renameTeam(runtime, { short, name }, ROOT);
const remove = (short: string, to?: string) => deleteTeam(runtime, { short, to }, ROOT);
const storedTeam = (short: string) => get(table, teamKey(short));

shortestWaits();
beforeEach(() => emptyOutbox(table));

const AT = new Date(NOON).toISOString();
const NOT_FOUND = { code: 'team_not_found' };

test('renameTeam gives a team another name, in one transaction with its event', async () => {
  const made = await team('R-one');
  wire.reset();
  const renamed = { ...made, team_name: 'Research' };
  expect(await rename('r-ONE', 'Research')).toEqual({ ...renamed, changed: true });
  expect(operations()).toEqual(['GetItem', 'TransactWriteItems', 'DeleteItem']);
  expect(await storedTeam('r-one')).toMatchObject({ ...renamed, transitions: 1, changed_at: NOON });
  const facts = { former_name: 'Team R-one', renamed_at: AT, renamed_by: 'Root' };
  expect(bus.details()).toMatchObject([
    [{ hook: '[core].[team_rename]', ...renamed, transition: 1, sequence: 1, ...facts }],
  ]);
  expect(bus.faults()).toEqual([]);
});

test('renameTeam changes nothing and publishes nothing if the team has the name', async () => {
  const made = await team('R-same');
  const before = await storedTeam('r-same');
  expect(await rename('R-same', made.team_name)).toEqual({ ...made, changed: false });
  expect(await storedTeam('r-same')).toEqual(before);
  expect(bus.calls).toEqual([]);
});

test('renameTeam numbers the events of a team', async () => {
  await team('R-many');
  await rename('R-many', 'One');
  await rename('R-many', 'Two');
  expect(bus.details().flat()).toMatchObject([
    { team_name: 'One', former_name: 'Team R-many', transition: 1, sequence: 1 },
    { team_name: 'Two', former_name: 'One', transition: 2, sequence: 2 },
  ]);
});

test.each(['', 'x'.repeat(129), 'x\ny'])('renameTeam refuses the name %j', async (name) => {
  const failure = { code: 'invalid_request', errors: [{ field: 'name' }] };
  await expect(rename('R-one', name)).rejects.toMatchObject(failure);
});

test('renameTeam refuses a team that does not exist, or is deleted meanwhile', async () => {
  await expect(rename('R-unknown', 'Name')).rejects.toMatchObject(NOT_FOUND);
  const made = await team('R-again');
  wire.before('TransactWriteItems', async () => {
    await remove('R-again');
  });
  await expect(rename('R-again', 'Name')).rejects.toMatchObject(NOT_FOUND);
  expect(await storedTeam('r-again')).toMatchObject(made);
});

test('renameTeam reports as the former name that of another request in between', async () => {
  await team('R-raced');
  wire.before('TransactWriteItems', async () => {
    await rename('R-raced', 'Between');
  });
  expect(await rename('R-raced', 'Last')).toMatchObject({ team_name: 'Last', changed: true });
  expect(bus.details().flat()).toMatchObject([
    { team_name: 'Between', sequence: 1 },
    { team_name: 'Last', former_name: 'Between', transition: 2, sequence: 2 },
  ]);
});

test('deleteTeam deletes a team without members, in one transaction with its event', async () => {
  const made = await team('D-empty');
  wire.reset();
  expect(await remove('d-EMPTY')).toEqual({ ...made, moved_to: null });
  expect(operations().slice(-2)).toEqual(['TransactWriteItems', 'DeleteItem']);
  const facts = { deleted_at: AT, deleted_by: 'Root', transition: 1, sequence: 1 };
  expect(bus.details()).toEqual([[expect.objectContaining({ ...made, ...facts })]]);
  expect(bus.details().flat()[0]).not.toHaveProperty('successor_id');
  expect(bus.faults()).toEqual([]);
});

test('deleteTeam names in its event the team that takes the members', async () => {
  const made = await team('D-moved');
  const { team_id } = await team('D-target');
  expect(await remove('D-moved', 'd-TARGET')).toEqual({ ...made, moved_to: 'D-target' });
  expect(bus.details().flat()).toMatchObject([
    { ...made, successor_id: team_id, successor_short: 'D-target' },
  ]);
});

test('deleteTeam refuses a team with members, with their number, and changes nothing', async () => {
  await team('D-used');
  for (let n = 0; n < 3; n++) await account({ teams: ['D-used'] });
  const before = await storedTeam('d-used');
  await expect(remove('D-used')).rejects.toMatchObject({
    code: 'team_in_use',
    data: { members: 3 },
    advice: 'Number of members: 3. Name a team that takes them.',
  });
  expect(await storedTeam('d-used')).toEqual(before);
  expect(bus.calls).toEqual([]);
});

test('deleteTeam counts the members that a deletion will bring, each once', async () => {
  for (const short of ['D-a', 'D-b', 'D-c']) await team(short);
  await account({ teams: ['D-a'] });
  await account({ teams: ['D-a', 'D-b'] });
  await remove('D-a', 'D-b');
  await remove('D-b', 'D-c');
  await expect(remove('D-c')).rejects.toMatchObject({ code: 'team_in_use', data: { members: 2 } });
});

test('deleteTeam counts again when a deletion brings members meanwhile', async () => {
  await team('D-from');
  await team('D-into');
  await account({ teams: ['D-from'] });
  wire.before('TransactWriteItems', async () => {
    await remove('D-from', 'D-into');
  });
  await expect(remove('D-into')).rejects.toMatchObject({ code: 'team_in_use', data: { members: 1 } });
  expect(await storedTeam('d-into')).not.toHaveProperty('successor');
});

test('deleteTeam names no team that is deleted meanwhile', async () => {
  const made = await team('D-last');
  await team('D-gone');
  wire.before('TransactWriteItems', async () => {
    await remove('D-gone');
  });
  await expect(remove('D-last', 'D-gone')).rejects.toMatchObject(NOT_FOUND);
  expect(await storedTeam('d-last')).toEqual({ ...teamKey('d-last'), ...made });
});

test('deleteTeam refuses unknown teams and the team itself', async () => {
  await team('D-own');
  await expect(remove('D-unknown')).rejects.toMatchObject(NOT_FOUND);
  await expect(remove('D-own', 'D-unknown')).rejects.toMatchObject(NOT_FOUND);
  await expect(remove('D-own', 'd-OWN')).rejects.toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'to', message: 'Must be another team' }],
  });
});

test('deleteTeam is patient with collisions', async () => {
  await team('D-busy');
  let collisions = 20;
  wire.script((operation) =>
    operation === 'TransactWriteItems' && collisions-- > 0 ? COLLISION : undefined,
  );
  expect(await remove('D-busy')).toMatchObject({ moved_to: null });
});

test('a team that is being deleted takes no members, is not listed, and keeps its short name', async () => {
  await team('B-old');
  await team('B-new');
  const member = await account({ teams: ['B-old'] });
  await remove('B-old', 'B-new');
  const join = { add: { teams: ['B-old'] } };
  await expect(changeMemberships(runtime, await account(), join)).rejects.toMatchObject(NOT_FOUND);
  await expect(account({ teams: ['B-old'] })).rejects.toMatchObject(NOT_FOUND);
  await expect(membershipsIn(table, ['B-old'])).rejects.toMatchObject(NOT_FOUND);
  await expect(rename('B-old', 'Name')).rejects.toMatchObject(NOT_FOUND);
  await expect(remove('B-old')).rejects.toMatchObject(NOT_FOUND);
  await expect(remove('B-new', 'B-old')).rejects.toMatchObject(NOT_FOUND);
  const again = { short: 'B-old', name: 'Again', type: 'internal' };
  await expect(createTeam(runtime, again)).rejects.toMatchObject({ code: 'team_exists' });
  expect((await listTeams(table)).map(({ team_short }) => team_short)).not.toContain('B-old');
  // It may be left before the job comes.
  await changeMemberships(runtime, member, { remove: { teams: ['B-old'] } });
  expect(await stored(member)).toMatchObject({ teams: [], team_id: '', team_name: '' });
});

test('copyMemberships copies the teams as they are now, not as the source shows them', async () => {
  for (const short of ['C-old', 'C-mid', 'C-new', 'C-out', 'C-kept']) await team(short);
  const source = await account({ teams: ['C-old', 'C-out', 'C-kept'] });
  const target = await account();
  await remove('C-old', 'C-mid');
  await remove('C-mid', 'C-new');
  await rename('C-kept', 'Renamed');
  await changeMemberships(runtime, source, { remove: { teams: ['C-out'] } });
  await remove('C-out');
  clock.time += 1;
  await copyMemberships(runtime, source, target);
  const { teams, team_name } = await stored(target);
  expect(teams.map(({ team_short, team_name: name }) => [team_short, name])).toEqual([
    ['C-new', 'Team C-new'],
    ['C-kept', 'Renamed'],
  ]);
  expect(team_name).toBe('Team C-new');
});
