import { describe, expect, test } from 'vitest';
import { createTeam } from '#lib/account/team';
import { admin, administrator, createUser, get, target, uniqueName } from './service.ts';

const browse = '/api/core/account/browse';

test('the directory lists every account as its owner and the administrators left it', async () => {
  const user = await createUser({ user_first_name: 'Ada', user_last_name: 'Lovelace', roles: ['a', 'b'] });
  const { body } = await get(browse, admin);
  expect(body.message).toBe('Account List');
  const item = body.data.items.find(({ username }: { username: string }) => username === user.username);
  expect(item).toEqual({
    id: user.account.id,
    username: user.username,
    phonenumber: '',
    emailconfirmed: false,
    lockoutenabled: true,
    islocked: false,
    isactive: true,
    lockoutend: null,
    lockoutending: null,
    lastActivity: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+$/),
    team_id: '',
    team_name: '',
    user_currency: 'EUR',
    user_home: null,
    user_app_name: 'core',
    teams: 0,
    roles: 2,
    user_first_name: 'Ada',
    user_last_name: 'Lovelace',
    user_color: expect.stringMatching(/^#/),
    user_avatar: null,
    user_short: 'AL',
    created_at: `${user.account.created_at}Z`,
    cancelled_at: null,
    cancelled_by: null,
  });
  const names = body.data.items.map(({ username }: { username: string }) => username.toLowerCase());
  expect(names).toEqual([...names].sort());
});

describe('pages', () => {
  test('follow one another without a gap or a repeat, whatever their size', async () => {
    // First of all names, so that they are met however many others there are.
    await Promise.all(Array.from({ length: 12 }, () => createUser({ username: uniqueName('0Page') })));
    for (const limit of [1, 5, 10_000]) {
      const seen: string[] = [];
      let cursor = '';
      for (let pages = 0; pages < 40; pages++) {
        const { data } = (await get(`${browse}?limit=${limit}${cursor}`, admin)).body;
        seen.push(...data.items.map(({ username }: { username: string }) => username.toLowerCase()));
        expect(data.items.length).toBeLessThanOrEqual(limit);
        expect(data.stats.count).toBeGreaterThanOrEqual(12);
        if (data.next_cursor === undefined) break;
        cursor = `&cursor=${data.next_cursor}`;
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual([...seen].sort());
      expect(seen.filter((name) => name.startsWith('0page-')).length >= 12 || limit === 1).toBe(true);
    }
  });

  test.each([
    'limit=0',
    'limit=',
    'limit=10001',
    'limit=-1',
    'limit=1.5',
    'limit=0x10',
    'limit=%201',
    'limit=1&limit=2',
    'limit=ten',
  ])('refuse %s', async (query) => {
    const reply = await get(`${browse}?${query}`, admin);
    expect(reply.status).toBe(400);
    expect(reply.body.data.errors[0].field).toBe('limit');
  });

  test('refuse every cursor that was not made for them', async () => {
    await createUser();
    await createUser().then((user) => user.token());
    const { next_cursor } = (await get(`${browse}?limit=1`, admin)).body.data;
    const tokens = (await get('/api/core/token/browse?limit=1', admin)).body.data;
    const changed = [...next_cursor].map((character, at) => {
      const other = character === 'A' ? 'B' : 'A';
      return next_cursor.slice(0, at) + other + next_cursor.slice(at + 1);
    });
    for (const cursor of [
      ...changed,
      '',
      'x',
      `${next_cursor}.`,
      `${next_cursor}A`,
      tokens.next_cursor ?? 'x',
    ])
      expect(
        (await get(`${browse}?limit=1&cursor=${encodeURIComponent(cursor)}`, admin)).status,
        cursor,
      ).toBe(400);
  });
});

describe('a filter', () => {
  const found = async (query: string) => {
    const { data } = (await get(`${browse}?${query}`, admin)).body;
    expect(data.stats.count).toBeGreaterThan(data.items.length);
    return data.items.map(({ username }: { username: string }) => username);
  };

  test('answers who has a role, is in a team, has an application or a state, in one request', async () => {
    const { runtime } = await target();
    const [role, app, short] = [uniqueName('r'), uniqueName('a'), uniqueName('T')];
    await createTeam(runtime, { short, name: 'Team', type: 'internal' });
    const given = { roles: [role], apps: [app], teams: [short] };
    const [one, other] = [
      await createUser({ ...given, username: uniqueName('f1'), user_last_name: `Ω${role}` }),
      await createUser({ ...given, username: uniqueName('f2') }),
    ];
    await createUser();
    const both = [one.username, other.username];
    for (const query of [`role=${role}`, `app=${app}`, `team=${short.toLowerCase()}`])
      expect(await found(query), query).toEqual(both);
    expect(await found(`q=${encodeURIComponent(`ω${role}`)}`)).toEqual([one.username]);
    expect(await found(`q=${other.username.toUpperCase()}&role=${role}&state=active`)).toEqual([
      other.username,
    ]);

    const since = new Date().toISOString();
    expect(await found(`role=${role}&never_used=true&inactive_since=${since}`)).toEqual(both);
    await get('/api/core/system/ping', { jwt: await one.logIn() });
    await expect.poll(() => found(`role=${role}&never_used=true`)).toEqual([other.username]);
    expect(await found(`role=${role}&inactive_since=${since}`)).toEqual([other.username]);
    await administrator.account.lock({ username: one.username });
    await administrator.account.cancel({ username: other.username });
    expect(await found(`role=${role}&state=locked`)).toEqual([one.username]);
    expect(await found(`role=${role}&state=cancelled`)).toEqual([other.username]);
    expect(await found(`role=${role}&cancelled_since=${since}`)).toEqual([other.username]);
    expect(await found('role=sys_administrator')).toContain('admin');
  });

  test.each([
    ['state=open', 'state'],
    ['state=active&cancelled_since=2026-11-20T00:00:00Z', 'state'],
    ['never_used=1', 'never_used'],
    ['role=a%20b', 'role'],
    ['inactive_since=24h', 'inactive_since'],
    ['user=ada', 'user'],
  ])('is refused by the name of what is wrong: %s', async (query, field) => {
    const reply = await get(`${browse}?${query}`, admin);
    expect(reply.status).toBe(400);
    expect(reply.body.data.errors.map((error: { field: string }) => error.field)).toEqual([field]);
  });

  test('has cursors of its own', async () => {
    const { next_cursor } = (await get(`${browse}?limit=1&state=active`, admin)).body.data;
    const next = (query: string) => get(`${browse}?cursor=${next_cursor}${query}`, admin);
    expect((await next('&limit=1&state=active')).status).toBe(200);
    for (const query of ['', '&state=locked', '&state=active&role=r'])
      expect((await next(query)).status).toBe(400);
  });
});
