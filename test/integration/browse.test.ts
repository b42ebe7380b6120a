import { expect, test } from 'vitest';
import { createTeam } from '#lib/account/team';
import { admin, administrator, createUser, get, target, uniqueName } from './service.ts';

const browse = '/api/core/account/browse';
const namesIn = (items: { username: string }[]) => items.map(({ username }) => username);

test('pages follow one another without a gap or a repeat', async () => {
  // First of all names, so that they are met however many others there are.
  const mine = await Promise.all(
    Array.from({ length: 6 }, () => createUser({ username: uniqueName('0Page') })),
  );
  const seen: string[] = [];
  let cursor = '';
  for (let pages = 0; pages < 40; pages++) {
    const { items, stats, next_cursor } = (await get(`${browse}?limit=5${cursor}`, admin)).body.data;
    seen.push(...namesIn(items).map((name) => name.toLowerCase()));
    expect(stats.count).toBeGreaterThanOrEqual(mine.length);
    if (next_cursor === undefined) break;
    cursor = `&cursor=${next_cursor}`;
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual([...seen].sort());
  expect(seen).toEqual(expect.arrayContaining(mine.map(({ username }) => username.toLowerCase())));
});

test('a cursor is refused by another listing, with another filter, or changed', async () => {
  await (await createUser()).token();
  const cursor = (await get(`${browse}?limit=1&state=active`, admin)).body.data.next_cursor as string;
  const next = async (query: string) => (await get(`${browse}?limit=1&${query}`, admin)).status;
  expect(await next(`state=active&cursor=${cursor}`)).toBe(200);
  expect(await next(`cursor=${cursor}`)).toBe(400);
  expect(await next(`state=locked&cursor=${cursor}`)).toBe(400);
  expect(await next(`state=active&cursor=${cursor.slice(0, -1)}`)).toBe(400);
  expect((await get(`/api/core/token/browse?limit=1&cursor=${cursor}`, admin)).status).toBe(400);
});

test('a filter selects accounts by role, team, application, state, text and activity', async () => {
  const { runtime } = await target();
  const [role, app, short] = [uniqueName('r'), uniqueName('a'), uniqueName('T')];
  await createTeam(runtime, { short, name: 'Team', type: 'internal' });
  const given = { roles: [role], apps: [app], teams: [short] };
  const one = await createUser({ ...given, username: uniqueName('f1'), user_last_name: `Ω${role}` });
  const other = await createUser({ ...given, username: uniqueName('f2') });
  const found = async (query: string) => {
    const { items, stats } = (await get(`${browse}?${query}`, admin)).body.data;
    expect(stats.count).toBeGreaterThan(items.length);
    return namesIn(items);
  };
  const both = [one.username, other.username];
  for (const query of [`role=${role}`, `app=${app}`, `team=${short.toLowerCase()}`])
    expect(await found(query), query).toEqual(both);
  expect(await found(`q=${encodeURIComponent(`ω${role}`)}`)).toEqual([one.username]);

  const since = new Date().toISOString();
  expect(await found(`role=${role}&never_used=true&inactive_since=${since}`)).toEqual(both);
  await get('/api/core/system/ping', { jwt: await one.logIn() });
  await expect.poll(() => found(`role=${role}&never_used=true`)).toEqual([other.username]);
  expect(await found(`role=${role}&inactive_since=${since}`)).toEqual([other.username]);
  await administrator.account.lock({ username: one.username });
  await administrator.account.cancel({ username: other.username });
  expect(await found(`role=${role}&state=locked`)).toEqual([one.username]);
  for (const query of ['state=cancelled', `cancelled_since=${since}`])
    expect(await found(`role=${role}&${query}`)).toEqual([other.username]);
});

test('a filter that is malformed is refused by its name', async () => {
  const { errors } = (await get(`${browse}?state=open&never_used=1&user=ada`, admin)).body.data;
  const fields = errors.map(({ field }: { field: string }) => field);
  expect(fields.sort()).toEqual(['never_used', 'state', 'user']);
});
