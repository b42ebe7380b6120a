import { expect, test } from 'vitest';
import { admin, createUser, get, noted, post, uniqueName } from './service.ts';

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
  });
  const own = await get('/api/core/token/user', { jwt: await logIn() });
  expect(own.body.data.items).toEqual([{ ...created, value: null }]);

  expect((await get(ping, { token })).status).toBe(200);
  const used = async () => (await tokensOf(username))[0].token_used_at as string;
  await expect.poll(used).not.toBe(created.token_created_at);
  const first = await used();
  await get(ping, { token });
  expect(await used(), 'later uses are written once a minute').toBe(first);

  expect((await remove('ci', username)).body.data).toEqual({ username, name: 'ci' });
  expect((await get(ping, { token })).status).toBe(401);
  expect((await remove('ci', username)).code).toBe('token_not_found');
});

test('of parallel requests for one name exactly one creates the token', async () => {
  const { username } = await createUser();
  const replies = await Promise.all(Array.from({ length: 10 }, () => create('same', username)));
  for (const { body } of replies) if (body.data.value) noted(body.data.value);
  expect(replies.map(({ code }) => code ?? 'created').sort()).toEqual([
    'created',
    ...Array(9).fill('token_exists'),
  ]);
});

test('a logintoken is replaced each time, and one is usable however many requests come at once', async () => {
  const user = await createUser({ roles: ['sys_tokens'] });
  const jwt = await user.logIn();
  const replace = () => post('/api/core/token/create/logintoken', { jwt });
  const first = await replace();
  expect(first.body.data).toMatchObject({ name: 'logintoken', username: user.username });
  const replies = await Promise.all(Array.from({ length: 8 }, replace));
  const secrets = [first, ...replies].flatMap(({ body }) =>
    body.data.value ? [noted(body.data.value as string)] : [],
  );
  const usable = await Promise.all(secrets.map((token) => get(ping, { token })));
  expect(usable[0]?.status).toBe(401);
  expect(usable.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await tokensOf(user.username)).toHaveLength(1);
});

test('an Idempotency-Key makes the creation of a token safe to repeat, and its secret works', async () => {
  const [user, key] = [await createUser(), uniqueName('key')];
  const repeatable = { ...admin, headers: { 'idempotency-key': key } };
  const replies = await Promise.all(Array.from({ length: 4 }, () => create('ci', user.username, repeatable)));
  const [data] = replies.map(({ body }) => body.data);
  expect(replies.map(({ body }) => body.data)).toEqual([data, data, data, data]);
  expect((await get(ping, { token: noted(data.value) })).status).toBe(200);
  expect(await tokensOf(user.username)).toHaveLength(1);
});
