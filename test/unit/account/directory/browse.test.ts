import { beforeAll, expect, test } from 'vitest';
import { accountsPage, browseAccounts } from '#lib/account/directory/browse';
import type { DirectoryFilter } from '#lib/account/directory/filter';
import { directoryItem } from '#lib/account/directory/item';
import { recordUse } from '#lib/auth/activity';
import type { Account } from '#lib/item/account';
import { cursorSecretKey, SHARDS } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { DAY_MS } from '#lib/time';
import { NOON, openTestTable } from '../../support/engine.ts';
import { pagesOf } from '../../support/pages.ts';
import { lockUntil, setAttributes } from '../../support/set-attributes.ts';

const { table, runtime, clock, account, stored, team, operations, wire } = await openTestTable();

/** Accounts by username, created in another order, and the times of their last activity. */
const ACTIVE = {
  Dora: NOON - 12 * 3_600_000,
  carl: NOON - 12 * 3_600_000 - 1,
  Bob: NOON - 6 * DAY_MS - 12 * 3_600_000,
  alan: NOON - 6 * DAY_MS - 12 * 3_600_000 - 1,
  eve: NOON,
};
const ORDER = ['alan', 'Bob', 'carl', 'Dora', 'eve'];
const STATS = { count: 5, locked: 1, last_week: 4, today: 2, as_of: '2026-11-20T11:59:50.000Z' };
const all: Account[] = [];

beforeAll(async () => {
  await put(table, cursorSecretKey, { secret: 'x'.repeat(43) });
  await team('Ops');
  for (const [username, time] of Object.entries(ACTIVE)) {
    clock.time = time;
    const roles = username === 'Bob' ? ['r'] : ['r', 'sys_administrator'];
    await recordUse(runtime, await account({ username, roles, teams: username < 'a' ? ['ops'] : [] }));
  }
  await setAttributes(table, await stored({ username: 'carl' }), { isactive: false });
  await lockUntil(table, await stored({ username: 'eve' }), NOON + 60_000);
  for (const username of ORDER) all.push(await stored({ username }));
});

const invalid = expect.objectContaining({ code: 'invalid_request' });
const names = ({ items }: { items: { username: string }[] }) => items.map(({ username }) => username);

/** The usernames of each page of a listing. */
async function namesOf(request: DirectoryFilter & { readonly limit?: number }, maxExamined?: number) {
  const pages = await pagesOf((cursor) => browseAccounts(runtime, { ...request, cursor }, maxExamined));
  for (const { stats } of pages) expect(stats).toEqual(STATS);
  return pages.map(names);
}

test('browseAccounts lists the directory by lower-cased username, with its statistics', async () => {
  const items = all.map((each) => directoryItem(each, NOON, runtime.settings));
  expect(await browseAccounts(runtime, {})).toEqual({ items, stats: STATS });
});

test.each<[Parameters<typeof namesOf>[0], readonly string[][], maxExamined?: number]>([
  [{ limit: 3 }, [ORDER.slice(0, 3), ORDER.slice(3)]],
  [{ role: 'sys_administrator' }, [['alan', 'carl', 'Dora', 'eve']]],
  [{ team: 'OPS' }, [['Bob', 'Dora']]],
  [{ team: 'ops' }, [['Bob'], ['Dora'], []], 2],
])('browseAccounts lists for the filter %j the pages %j', async (filter, pages, maxExamined) => {
  expect(await namesOf(filter, maxExamined)).toEqual(pages);
});

test.each([
  ['BOB', ['Bob']],
  ['bo', []],
])('browseAccounts with the username %s lists %j by one read', async (username, expected) => {
  await browseAccounts(runtime, { limit: 1 });
  wire.reset();
  const page = await browseAccounts(runtime, { username });
  expect(names(page)).toEqual(expected);
  expect(page).not.toHaveProperty('next_cursor');
  expect(operations()).toEqual(['GetItem']);
});

test('browseAccounts accepts a cursor only with the filter of its page', async () => {
  const filter = { role: 'sys_administrator' };
  const { next_cursor: cursor } = await browseAccounts(runtime, { ...filter, limit: 1 });
  expect(cursor).toBeDefined();
  expect(names(await browseAccounts(runtime, { ...filter, cursor }))).toEqual(['carl', 'Dora', 'eve']);
  for (const other of [{}, { role: 'r' }, { ...filter, team: 'ops' }, { cancelled_since: NOON }])
    await expect(browseAccounts(runtime, { ...other, cursor })).rejects.toThrow(invalid);
});

test.each([
  [59_999, ['eve'], 1],
  // The statistics count the end of a lockout in steps of 10 s.
  [60_000, [], 1],
  [70_000, [], 0],
])('browseAccounts lists and counts the locked accounts after %i ms', async (later, expected, locked) => {
  clock.time = NOON + later;
  const { items, stats } = await browseAccounts(runtime, { state: 'locked' });
  expect([names({ items }), stats.locked]).toEqual([expected, locked]);
});

test('browseAccounts adds the names of memberships when they are requested, with the cursors of the same listing', async () => {
  const { items, next_cursor: cursor } = await browseAccounts(runtime, { names: true, limit: 2 });
  expect(items).toEqual([
    {
      ...directoryItem(all[0] as Account, NOON, runtime.settings),
      app_names: ['core'],
      role_names: ['r', 'sys_administrator'],
      team_shorts: [],
    },
    {
      ...directoryItem(all[1] as Account, NOON, runtime.settings),
      app_names: ['core'],
      role_names: ['r'],
      team_shorts: ['Ops'],
    },
  ]);
  expect(names(await browseAccounts(runtime, { cursor }))).toEqual(ORDER.slice(2));
  const { items: found } = await browseAccounts(runtime, { username: 'bob', names: true });
  expect(found).toMatchObject([{ username: 'Bob', team_shorts: ['Ops'] }]);
});

test('accountsPage reads no statistics', async () => {
  const { next_cursor: cursor } = await accountsPage(runtime, { limit: 3 });
  expect((await accountsPage(runtime, { limit: 3, cursor })).items).toHaveLength(2);
  expect(operations().filter((operation) => operation === 'Query')).toHaveLength(2 * SHARDS);
});
