import { expect, test } from 'vitest';
import { admin, type Call, createUser, get, logIn, noted, post } from './service.ts';

const ping = '/api/core/system/ping';
const create = (name: string, username: string, as = admin) =>
  post(`/api/core/token/create/${name}/${username}`, as);
const remove = (name: string, username: string, as = admin) =>
  post(`/api/core/token/delete/${name}/${username}`, as);
const tokensOf = async (username: string) =>
  (await get(`/api/core/token/user/${username}`, admin)).body.data.items;

test('a token is created, used, listed without its secret, deleted, and refused on the very next request', async () => {
  const { username, account, logIn } = await createUser();
  const created = (await create('ci', username)).body.data;
  const token = noted(created.value as string);
  expect(created).toEqual({
    username,
    userid: account.id,
    loginprovider: 'api',
    name: 'ci',
    value: expect.stringMatching(/^cst_/),
    token_created_at: expect.any(String),
    token_used_at: created.token_created_at,
    token_created_by: 'admin',
    ...{ token_expires_at: null, token_last4: token.slice(-4), token_description: null },
    ...{ token_access: 'full', token_roles: null, token_addresses: null },
  });
  const own = await get('/api/core/token/user', { jwt: await logIn() });
  expect(own.body.data.items).toEqual([{ ...created, value: null }]);

  expect((await get(ping, { token })).status).toBe(200);
  const used = async () => (await tokensOf(username))[0].token_used_at as string;
  await expect.poll(used).not.toBe(created.token_created_at);

  expect((await remove('ci', username)).body.data).toEqual({ username, name: 'ci' });
  expect((await get(ping, { token })).status).toBe(401);
  expect((await remove('ci', username)).code).toBe('token_not_found');
});

// Rules: test/unit/token/terms.test.ts.
test('a session of a token with limits creates tokens with these limits, and no wider one', async () => {
  const user = await createUser({ roles: ['sys_tokens', 'editor'] });
  const limits = { roles: ['sys_tokens'], addresses: ['127.0.0.0/8'], expires_in_days: 2 };
  const jwt = await logIn('api', await user.token('narrow', limits));
  for (const path of ['own/child', 'create/logintoken']) {
    const { data } = (await post(`/api/core/token/${path}`, { jwt })).body;
    noted(data.value as string);
    expect(data).toMatchObject({ token_roles: limits.roles, token_addresses: limits.addresses });
    const wider = await post(`/api/core/token/${path}`, { jwt, json: { roles: ['editor'] } });
    expect(wider.code).toBe('forbidden');
  }
});

test('a former secret neither rotates its token nor replaces the login token', async () => {
  const { username } = await createUser({ roles: ['sys_tokens'] });
  const rotate = (as: Call) => post(`/api/core/token/rotate/logintoken/${username}`, as);
  const token = noted((await create('logintoken', username)).body.data.value as string);
  const rotated = await rotate({ ...admin, json: { overlap_minutes: 1 } });
  const current = noted(rotated.body.data.value as string);
  expect((await rotate({ token })).code).toBe('token_rotated');
  expect((await post('/api/core/token/create/logintoken', { token })).code).toBe('token_rotated');
  expect((await get(ping, { token: current })).status).toBe(200);
});
