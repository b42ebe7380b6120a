import { describe, expect, test } from 'vitest';
import { addMemberships } from '#lib/account/memberships';
import { createTeam } from '#lib/account/team';
import { admin, createUser, get, post, target, uniqueName } from './service.ts';

const ping = '/api/core/system/ping';
const change = (verb: string, username: string, as = admin) =>
  post(`/api/core/account/${verb}/${username}`, as);

test('a lock stops every credential at once, and an unlock restores all but the sessions', async () => {
  const user = await createUser();
  const [jwt, token] = [await user.logIn(), await user.token()];
  const locked = await change('lock', user.username);
  expect(locked.body.data).toMatchObject({
    username: user.username,
    islocked: true,
    isactive: true,
    lockoutend: '9999-12-31T23:59:59+00:00',
    lockoutending: '9999-12-31T23:59:59Z',
    changed: true,
  });
  const cookie = { headers: { cookie: `ptoken=${jwt}` } };
  for (const credential of [{ jwt }, { token }, cookie])
    expect((await get(ping, credential)).status).toBe(401);
  await expect(user.logIn()).rejects.toMatchObject({ status: 401 });

  const again = await change('lock', user.username.toUpperCase());
  expect(again.body.data).toEqual({ ...locked.body.data, changed: false });

  const unlocked = await change('unlock', user.username);
  expect(unlocked.body.data).toMatchObject({
    islocked: false,
    lockoutend: null,
    lockoutending: null,
    changed: true,
  });
  expect((await change('unlock', user.username)).body.data.changed).toBe(false);
  expect((await get(ping, { token })).status).toBe(200);
  expect((await get(ping, { jwt })).status, 'the session had another stamp').toBe(401);
  await expect(user.logIn()).resolves.toBeTruthy();
});

test('a cancel stops every credential, and reactivation brings back all but the sessions', async () => {
  const user = await createUser();
  const [jwt, token] = [await user.logIn(), await user.token()];
  const cancelled = await change('cancel', user.username);
  expect(cancelled.body.data).toMatchObject({ isactive: false, islocked: false, changed: true });
  expect((await get(ping, { jwt })).status).toBe(401);
  expect((await get(ping, { token })).status).toBe(401);
  expect((await change('cancel', user.username)).body.data).toEqual({
    ...cancelled.body.data,
    changed: false,
  });

  expect((await change('lock', user.username)).body.data).toMatchObject({ isactive: false, islocked: true });
  expect((await change('unlock', user.username)).body.data).toMatchObject({
    isactive: false,
    islocked: false,
  });
  expect((await change('context/core', user.username)).code).toBe('account_cancelled');
  expect((await change('copy/admin', user.username)).code).toBe('account_cancelled');

  expect((await change('reactivate', user.username)).body.data).toMatchObject({
    isactive: true,
    changed: true,
  });
  expect((await change('reactivate', user.username)).body.data.changed).toBe(false);
  expect((await get(ping, { jwt })).status).toBe(401);
  await expect(user.logIn()).resolves.toBeTruthy();
});

test.each(['lock', 'cancel'])('nobody can %s the own account', async (verb) => {
  const user = await createUser({ roles: ['sys_administrator'] });
  const token = await user.token();
  expect((await change(verb, user.username.toUpperCase(), { token })).code).toBe('self_target');
  expect((await get(ping, { token })).status).toBe(200);
});

test.each(['lock', 'cancel'])('of two administrators who %s each other, one remains', async (verb) => {
  for (let round = 0; round < 5; round++) {
    const [one, two] = [
      await createUser({ roles: ['sys_administrator'] }),
      await createUser({ roles: ['sys_administrator'] }),
    ];
    const [tokenOne, tokenTwo] = [await one.token(), await two.token()];
    const replies = await Promise.all([
      change(verb, two.username, { token: tokenOne }),
      change(verb, one.username, { token: tokenTwo }),
    ]);
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect([401, 409]).toContain(statuses[1]);
    const alive = await Promise.all([get(ping, { token: tokenOne }), get(ping, { token: tokenTwo })]);
    expect(alive.map(({ status }) => status).sort()).toEqual([200, 401]);
  }
});

test('a role acts from the next request on, in sessions too', async () => {
  const user = await createUser();
  const jwt = await user.logIn();
  expect((await get('/api/core/account/browse', { jwt })).status).toBe(403);
  const { runtime } = await target();
  await addMemberships(runtime.table, user.account, { roles: ['sys_administrator'], apps: [], teams: [] });
  expect((await get('/api/core/account/browse', { jwt })).status).toBe(200);
});

describe('copy', () => {
  test('gives the target the roles and teams it lacks, and takes nothing', async () => {
    const { runtime } = await target();
    const [shared, extra] = [
      await createTeam(runtime, { short: uniqueName('s'), name: 'Shared', type: 'internal' }),
      await createTeam(runtime, { short: uniqueName('x'), name: 'Extra', type: 'internal' }),
    ];
    const source = await createUser({ roles: ['a', 'b'], teams: [extra.team_short, shared.team_short] });
    const target1 = await createUser({ roles: ['b', 'c'], teams: [shared.team_short] });
    const homeless = await createUser();

    const reply = await change(`copy/${source.username}`, target1.username);
    expect(reply.body.data).toEqual({
      source: source.username,
      target: target1.username,
      roles_added: ['a'],
      teams_added: [extra.team_id],
    });
    const profile = (await get(`/api/core/account/profile/${target1.username}`, admin)).body.data;
    expect(profile.roles).toEqual(['b', 'c', 'a']);
    expect(profile.user.team_id).toBe(shared.team_id);
    expect(profile.teams.map((team: { team_short: string }) => team.team_short)).toEqual([
      shared.team_short,
      extra.team_short,
    ]);

    await change(`copy/${source.username}`, homeless.username);
    const user = (await get(`/api/core/account/profile/${homeless.username}?pscope=user`, admin)).body.data
      .user;
    expect(user).toMatchObject({ team_id: extra.team_id, team_name: 'Extra' });
    expect((await change(`copy/${source.username}`, homeless.username)).body.data.roles_added).toEqual([]);
  });

  test('loses no role when two copies meet', async () => {
    const sources = await Promise.all(
      Array.from({ length: 4 }, (_, n) => createUser({ roles: [`role-${n}`] })),
    );
    const user = await createUser();
    const replies = await Promise.all(
      sources.map(({ username }) => change(`copy/${username}`, user.username)),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { roles } = (await get(`/api/core/account/profile/${user.username}`, admin)).body.data;
    expect(roles.sort()).toEqual(['role-0', 'role-1', 'role-2', 'role-3']);
  });

  test('refuses the same account twice before it looks for it', async () => {
    const name = uniqueName('missing');
    expect((await change(`copy/${name}`, name.toUpperCase())).status).toBe(400);
    expect((await change(`copy/${name}`, 'admin')).code).toBe('account_not_found');
    expect((await change('copy/admin', name)).code).toBe('account_not_found');
  });
});

describe('context', () => {
  test('switches the own application, and as an administrator another’s', async () => {
    const user = await createUser({ apps: ['core', 'billing'] });
    const jwt = await user.logIn();
    const own = await post('/api/core/account/context/billing', { jwt });
    expect(own.body.data).toEqual({ username: user.username, user_app_name: 'billing' });
    const profile = (await get('/api/core/account/profile', { jwt })).body.data;
    expect(profile.user.user_app_name).toBe('billing');
    expect(profile.apps).toEqual(['core', 'billing']);
    expect((await change('context/core', user.username)).body.data.user_app_name).toBe('core');
    expect((await change('context/core', user.username, { jwt })).status).toBe(200);
    expect((await change('context/core', 'admin', { jwt })).status).toBe(403);
    expect((await post('/api/core/account/context/other', { jwt })).code).toBe('app_not_found');
  });
});
