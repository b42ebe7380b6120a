import { expect, test } from 'vitest';
import { teamSchema, teamShort } from '#lib/item/team';
import { teamKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { browseTeams, createTeam, listTeams, membershipsIn } from '#lib/team/team';
import { openTestTable } from '../support/engine.ts';
import { uuidOf } from '../support/items.ts';
import { pagesOf } from '../support/pages.ts';

const { table, wire, runtime, operations } = await openTestTable();

let made = 0;
const team = (part: { short?: string; name?: string; type?: string } = {}) =>
  createTeam(runtime, { short: `team-${made++}`, name: 'Team', type: 'internal', ...part });

test('createTeam stores a team as it is given, under a new id', async () => {
  const input = { short: 'R.and-D_1', name: 'Research', type: 'x-1_y' };
  const created = await createTeam({ ...runtime, uuid: () => uuidOf(1) }, input);
  const expected = { team_id: uuidOf(1), team_short: 'R.and-D_1', team_name: 'Research', team_type: 'x-1_y' };
  expect(created).toEqual(expected);
  expect(await get(table, teamKey('R.and-D_1'))).toEqual({ PK: 'TEAMS', SK: 'r.and-d_1', ...expected });
});

test('createTeam accepts the longest texts, and no short name that is taken in any case', async () => {
  await team({ short: 'z', name: ' ', type: 'a' });
  const short = `Ops${'0'.repeat(29)}`;
  const first = await team({ short, name: 'ä'.repeat(128), type: 'a'.repeat(32) });
  for (const taken of [short, short.toLowerCase(), short.toUpperCase()])
    await expect(team({ short: taken, name: 'Other' })).rejects.toMatchObject({ code: 'team_exists' });
  expect(await get(table, teamKey(short.toLowerCase()))).toMatchObject(first);
});

const SHORT = 'Must be 1 to 32 letters, digits or . _ -, the first a letter or digit';
const TYPE = 'Must be 1 to 32 of a-z, 0-9, _ and -, the first a letter';

test.each<[string, unknown[], unknown]>([
  ['short', ['', 'x'.repeat(33), '.x', 'x y', 'x\n'], SHORT],
  ['name', ['', 'x'.repeat(129), 'x\ny'], expect.any(String)],
  ['type', ['', 'a'.repeat(33), 'aB', '1a', ' a'], TYPE],
  ['owner', ['me'], 'Unknown property'],
])('createTeam refuses an invalid %s before any request: %j', async (field, values, message) => {
  const failure = { code: 'invalid_request', errors: [{ field, message }] };
  for (const value of values) await expect(team({ [field]: value })).rejects.toMatchObject(failure);
  expect(operations()).toEqual([]);
});

test('listTeams returns all teams by short name, with exactly their fields', async () => {
  const created = [await team({ short: 'b-list' }), await team({ short: 'A-list' })];
  const teams = await listTeams(table);
  const shorts = teams.map(({ team_short }) => team_short.toLowerCase());
  expect(shorts).toEqual([...shorts].sort());
  expect(teams).toEqual(expect.arrayContaining(created));
  for (const each of teams) expect(Object.keys(each)).toEqual(Object.keys(teamSchema().shape));
});

test('browseTeams pages through all teams by short name', async () => {
  for (const short of ['p-2', 'P-1', 'p-3']) await team({ short });
  const pages = await pagesOf((cursor) =>
    browseTeams(table, { limit: 2, cursor: cursor && teamShort().parse(cursor) }),
  );
  for (const { items } of pages) expect(items.length).toBeLessThanOrEqual(2);
  expect(pages.flatMap(({ items }) => items)).toEqual(await listTeams(table));
});

test('membershipsIn returns memberships in the order of the names, in any case, and refuses others', async () => {
  expect(await membershipsIn(table, [])).toEqual([]);
  expect(operations()).toEqual([]);
  const teams = [];
  for (const short of ['m-1', 'm-2', 'm-3']) teams.push(await team({ short }));
  const [one, two, three] = teams;
  const expected = [three, one, two].map((each) => ({ ...each, teamuser_lvl: null }));
  expect(await membershipsIn(table, ['M-3', 'm-1', 'm-2'])).toEqual(expected);
  // A team that was created a second ago is found.
  expect(JSON.stringify(wire.commands.at(-1)?.input)).toContain('"ConsistentRead":true');
  const request = membershipsIn(table, ['m-1', 'unknown']);
  await expect(request).rejects.toMatchObject({ code: 'team_not_found' });
});
