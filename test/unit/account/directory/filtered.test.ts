import { beforeAll, expect, test } from 'vitest';
import { browseAccounts } from '#lib/account/directory/browse';
import type { DirectoryFilter } from '#lib/account/directory/filter';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { createTeam } from '#lib/account/team';
import { cursorSecretKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { by, NOON, openTestTable } from '../../support/engine.ts';

const { table, runtime, account } = await openTestTable();

beforeAll(async () => {
  await put(table, cursorSecretKey, { secret: 'x'.repeat(43) });
  await createTeam(runtime, { short: 'Ops', name: 'Operations', type: 'internal' });
  for (let n = 0; n < 12; n++)
    await account({
      username: `user-${String(n).padStart(2, '0')}`,
      ...(n % 5 === 0 ? { roles: ['sys_administrator'] } : {}),
      ...(n % 4 === 0 ? { teams: ['ops'] } : {}),
    });
  for (const username of ['user-01', 'user-04', 'user-05'])
    await cancelAccount(runtime, await account({ username: `gone-${username}`, roles: ['r'] }), by('root'));
});

const names = ({ items }: { items: { username: string }[] }) => items.map(({ username }) => username);
const [ADMINS, TEAM] = [
  ['user-00', 'user-05', 'user-10'],
  ['user-00', 'user-04', 'user-08'],
];

test.each<[DirectoryFilter, readonly string[]]>([
  [{ role: 'sys_administrator' }, ADMINS],
  [{ team: 'OPS' }, TEAM],
  [{ role: 'sys_administrator', team: 'ops' }, ['user-00']],
  [{ q: 'USER-1' }, ['user-10', 'user-11']],
  [{ state: 'cancelled', role: 'r' }, ['gone-user-01', 'gone-user-04', 'gone-user-05']],
  [{ team: 'none' }, []],
])('%j is one request, with the statistics of all', async (filter, expected) => {
  const page = await browseAccounts(runtime, filter);
  expect(names(page)).toEqual(expected);
  expect(page).not.toHaveProperty('next_cursor');
  expect(page.stats.count).toBe(15);
});

test('a page looks at no more than so many accounts, and its cursor goes on from there', async () => {
  const found: string[] = [];
  const request = { role: 'sys_administrator' };
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await browseAccounts(runtime, { ...request, cursor }, 4);
    found.push(...names(page));
    cursor = page.next_cursor;
    pages += 1;
  } while (cursor !== undefined);
  expect([found, pages]).toEqual([ADMINS, 4]);
});

test('a cursor is for the filter that it was made with', async () => {
  const { next_cursor: cursor } = await browseAccounts(runtime, { role: 'sys_administrator', limit: 1 });
  expect(cursor).toBeDefined();
  const withCursor = (request: object) => browseAccounts(runtime, { ...request, cursor });
  expect(names(await withCursor({ role: 'sys_administrator' }))).toEqual(ADMINS.slice(1));
  for (const other of [
    {},
    { role: 'r' },
    { role: 'sys_administrator', team: 'ops' },
    { cancelled_since: NOON },
  ])
    await expect(withCursor(other)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('the cancelled since a time can be asked for more, page by page', async () => {
  const cancelled_since = NOON;
  expect(names(await browseAccounts(runtime, { cancelled_since, q: 'gone-user-04' }))).toEqual([
    'gone-user-04',
  ]);
  const first = await browseAccounts(runtime, { cancelled_since, role: 'r', limit: 2 });
  const second = await browseAccounts(runtime, {
    cancelled_since,
    role: 'r',
    limit: 2,
    cursor: first.next_cursor,
  });
  expect([...names(first), ...names(second)]).toHaveLength(3);
});
