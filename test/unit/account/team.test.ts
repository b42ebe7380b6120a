import { describe, expect, test } from 'vitest';
import { createTeam, listTeams, membershipsIn } from '#lib/account/team';
import { teamKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { openTestTable } from '../support/engine.ts';

const { table, runtime, operations } = await openTestTable();

const ID = '00000000-0000-7000-8000-000000000001';
const team = (short: string, more: { name?: string; type?: string } = {}) =>
  createTeam(runtime, { short, name: `Team ${short}`, type: 'internal', ...more });

test('a team is created as it is given, under an id of its own', async () => {
  const created = await createTeam(
    { ...runtime, uuid: () => ID },
    { short: 'R.and-D_1', name: 'Research', type: 'x-1_y' },
  );
  const expected = { team_id: ID, team_short: 'R.and-D_1', team_name: 'Research', team_type: 'x-1_y' };
  expect(created).toEqual(expected);
  expect(await get(table, teamKey('R.and-D_1'))).toEqual({ PK: 'TEAMS', SK: 'r.and-d_1', ...expected });
});

test('a short name is taken in any case, and the team that has it is not touched', async () => {
  const first = await team('Ops');
  for (const short of ['Ops', 'ops', 'OPS'])
    await expect(team(short, { name: 'Other' })).rejects.toMatchObject({ code: 'team_exists' });
  expect(await get(table, teamKey('ops'))).toMatchObject(first);
});

describe('a team may have', () => {
  test.each([
    ['a short name of one letter', { short: 'z' }],
    ['a short name of 32', { short: '0'.repeat(32) }],
    ['a name of one character', { short: 'n1', name: ' ' }],
    ['a name of 128', { short: 'n2', name: 'ä'.repeat(128) }],
    ['a type of one letter', { short: 't1', type: 'a' }],
    ['a type of 32', { short: 't2', type: 'a'.repeat(32) }],
  ])('%s', async (_what, { short, ...more }) => {
    expect(await team(short, more)).toMatchObject({ team_short: short });
  });
});

const SHORT = 'Must be 1 to 32 letters, digits or . _ -';
const TYPE = 'Must be 1 to 32 of a-z, 0-9, _ and -';

describe('a team may not have', () => {
  test.each<[string, { short: string } & Record<string, string>, string, unknown]>([
    ['no short name', { short: '' }, 'short', SHORT],
    ['a short name of 33', { short: 'x'.repeat(33) }, 'short', SHORT],
    ['a short name that begins with a dot', { short: '.x' }, 'short', SHORT],
    ['a short name with a space', { short: 'x y' }, 'short', SHORT],
    ['a short name with a line break', { short: 'x\n' }, 'short', SHORT],
    ['no name', { short: 'q', name: '' }, 'name', expect.any(String)],
    ['a name of 129', { short: 'q', name: 'x'.repeat(129) }, 'name', expect.any(String)],
    ['no type', { short: 'q', type: '' }, 'type', TYPE],
    ['a type of 33', { short: 'q', type: 'a'.repeat(33) }, 'type', TYPE],
    ['a type with a capital', { short: 'q', type: 'aB' }, 'type', TYPE],
    ['a type that begins with a digit', { short: 'q', type: '1a' }, 'type', TYPE],
    ['a type that begins with a space', { short: 'q', type: ' a' }, 'type', TYPE],
    ['what a team does not have', { short: 'q', owner: 'me' }, 'owner', 'Unknown property'],
  ])('%s', async (_what, { short, ...more }, field, message) => {
    await expect(team(short, more)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ field, message }],
    });
    expect(operations()).toEqual([]);
  });
});

test('teams are listed by short name, each with its four fields', async () => {
  await team('b-list');
  await team('A-list');
  const teams = await listTeams(table);
  const shorts = teams.map(({ team_short }) => team_short.toLowerCase());
  expect(shorts).toEqual([...shorts].sort());
  for (const each of teams)
    expect(Object.keys(each)).toEqual(['team_id', 'team_short', 'team_name', 'team_type']);
  expect(teams.find(({ team_short }) => team_short === 'A-list')).toMatchObject({
    team_name: 'Team A-list',
    team_type: 'internal',
  });
});

describe('memberships', () => {
  test('stand in the order of the names, in any case of them, without a level', async () => {
    const [one, two, three] = [await team('m-1'), await team('m-2'), await team('m-3')];
    expect(await membershipsIn(table, ['M-3', 'm-1', 'm-2'])).toEqual(
      [three, one, two].map((each) => ({ ...each, teamuser_lvl: null })),
    );
  });

  test('are those of known teams only', async () => {
    await team('known');
    await expect(membershipsIn(table, ['known', 'unknown'])).rejects.toMatchObject({
      code: 'team_not_found',
    });
  });

  test('in no team take no read', async () => {
    expect(await membershipsIn(table, [])).toEqual([]);
    expect(operations()).toEqual([]);
  });
});
