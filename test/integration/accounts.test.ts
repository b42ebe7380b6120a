import { describe, expect, test } from 'vitest';
import { addMemberships } from '#lib/account/memberships';
import { createTeam } from '#lib/account/team';
import { admin, createUser, get, post, target, uniqueName } from './service.ts';

const ping = '/api/core/system/ping';
const change = (verb: string, username: string, as = admin) =>
  post(`/api/core/account/${verb}/${username}`, as);
const profileOf = async (username: string) =>
  (await get(`/api/core/account/profile/${username}`, admin)).body.data;

test.each([
  { stop: 'lock', resume: 'unlock', stopped: { isactive: true, islocked: true } },
  { stop: 'cancel', resume: 'reactivate', stopped: { isactive: false, islocked: false } },
])(
  '$stop stops every credential at once, and $resume restores all but the sessions',
  async ({ stop, resume, stopped }) => {
    const user = await createUser();
    const [jwt, token] = [await user.logIn(), await user.token()];
    const cookie = { headers: { cookie: `ptoken=${jwt}` } };
    const { data } = (await change(stop, user.username)).body;
    expect(data).toMatchObject({ username: user.username, ...stopped, changed: true });
    for (const credential of [{ jwt }, { token }, cookie])
      expect((await get(ping, credential)).status).toBe(401);
    await expect(user.logIn()).rejects.toMatchObject({ status: 401 });
    expect((await profileOf(user.username)).user).toMatchObject(stopped);
    const again = await change(stop, user.username.toUpperCase());
    expect(again.body.data).toEqual({ ...data, changed: false });

    const open = { isactive: true, islocked: false };
    expect((await change(resume, user.username)).body.data).toMatchObject({ ...open, changed: true });
    expect((await change(resume, user.username)).body.data).toMatchObject({ ...open, changed: false });
    expect((await get(ping, { token })).status).toBe(200);
    expect((await get(ping, { jwt })).status, 'the session had another stamp').toBe(401);
    await expect(user.logIn()).resolves.toBeTruthy();
  },
);

test('a cancelled account can be locked, and takes no token, context or roles', async () => {
  const { username } = await createUser();
  await change('cancel', username);
  expect((await change('lock', username)).body.data).toMatchObject({ isactive: false, islocked: true });
  for (const verb of ['account/context/core', 'account/copy/admin', 'token/create/x'])
    expect((await post(`/api/core/${verb}/${username}`, admin)).code, verb).toBe('account_cancelled');
});

test.each(['lock', 'cancel'])('of two administrators who %s each other, one remains', async (verb) => {
  for (let round = 0; round < 3; round++) {
    const roles = ['sys_administrator'];
    const [one, two] = [await createUser({ roles }), await createUser({ roles })];
    const [tokenOne, tokenTwo] = [await one.token(), await two.token()];
    const replies = await Promise.all([
      change(verb, two.username, { token: tokenOne }),
      change(verb, one.username, { token: tokenTwo }),
    ]);
    const [first, second] = replies.map(({ status }) => status).sort();
    expect(first).toBe(200);
    expect([401, 409]).toContain(second);
    const alive = await Promise.all([get(ping, { token: tokenOne }), get(ping, { token: tokenTwo })]);
    expect(alive.map(({ status }) => status).sort()).toEqual([200, 401]);
  }
});

test('a role acts from the next request on, in sessions too', async () => {
  const user = await createUser();
  const jwt = await user.logIn();
  const statusOfBrowse = async () => (await get('/api/core/account/browse?limit=1', { jwt })).status;
  expect(await statusOfBrowse()).toBe(403);
  const { runtime } = await target();
  await addMemberships(runtime.table, user.account, { roles: ['sys_administrator'], apps: [], teams: [] });
  expect(await statusOfBrowse()).toBe(200);
});

describe('copy', () => {
  test('gives the target the roles and teams it lacks, and takes nothing', async () => {
    const { runtime } = await target();
    const team = await createTeam(runtime, { short: uniqueName('x'), name: 'Extra', type: 'internal' });
    const source = await createUser({ roles: ['a', 'b'], teams: [team.team_short] });
    const { username } = await createUser({ roles: ['b', 'c'] });
    expect((await change(`copy/${source.username}`, username)).body.data).toEqual({
      source: source.username,
      target: username,
      roles_added: ['a'],
      teams_added: [team.team_id],
    });
    expect(await profileOf(username)).toMatchObject({
      roles: ['b', 'c', 'a'],
      user: { team_id: team.team_id, team_name: 'Extra' },
    });
  });

  test('loses no role when copies meet', async () => {
    const roles = ['role-0', 'role-1', 'role-2', 'role-3'];
    const sources = await Promise.all(roles.map((role) => createUser({ roles: [role] })));
    const user = await createUser();
    const replies = await Promise.all(
      sources.map(({ username }) => change(`copy/${username}`, user.username)),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await profileOf(user.username)).roles.sort()).toEqual(roles);
  });
});

test('a context is switched by the owner, and by an administrator for others', async () => {
  const user = await createUser({ apps: ['core', 'billing'] });
  const jwt = await user.logIn();
  const own = await post('/api/core/account/context/billing', { jwt });
  expect(own.body.data).toEqual({ username: user.username, user_app_name: 'billing' });
  expect((await get('/api/core/account/profile', { jwt })).body.data.user.user_app_name).toBe('billing');
  expect((await change('context/core', user.username)).body.data.user_app_name).toBe('core');
  expect((await post('/api/core/account/context/other', { jwt })).code).toBe('app_not_found');
});
