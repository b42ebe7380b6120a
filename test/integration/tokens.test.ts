import { describe, expect, test } from 'vitest';
import { admin, type Call, createUser, get, noted, post, uniqueName } from './service.ts';

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

test('an Idempotency-Key makes a creation safe to repeat after new logins of its account only', async () => {
  const [user, maker] = [await createUser(), await createUser({ roles: ['sys_administrator'] })];
  const headers = { 'idempotency-key': uniqueName('key') };
  const sessions = await Promise.all(Array.from({ length: 3 }, maker.logIn));
  const callers = [...sessions.map((jwt) => ({ jwt })), { token: await maker.token() }];
  const replies = await Promise.all(callers.map((as) => create('ci', user.username, { ...as, headers })));
  const [data] = replies.map(({ body }) => body.data);
  expect(replies.map(({ body }) => body.data)).toEqual([data, data, data, data]);
  expect((await get(ping, { token: noted(data.value) })).status).toBe(200);
  expect((await create('ci', user.username, { ...admin, headers })).code).toBe('token_exists');
  expect(await tokensOf(user.username)).toHaveLength(1);
});

describe('a token with limits', () => {
  const own = (name: string, as: Call, json?: object) =>
    post(`/api/core/token/own/${name}`, json === undefined ? as : { ...as, json });
  const open = async (json: object) => {
    const user = await createUser({ roles: ['sys_tokens', 'editor'] });
    const reply = await own('narrow', { jwt: await user.logIn() }, json);
    expect(reply.status, reply.text).toBe(200);
    const token = noted(reply.body.data.value as string);
    const login = { json: { username: 'api', password: token } };
    const { body } = await post('/api/core/account/login', login);
    const session = noted(body.data.JWTtoken as string);
    return { user, record: reply.body.data, credentials: [{ token }, { jwt: session }] };
  };

  test('is created by its owner with an empty body in any form, as every other kind is', async () => {
    const user = await createUser({ roles: ['sys_tokens'] });
    const as = { jwt: await user.logIn() };
    const kinds = ['own/a', 'create/logintoken'].map((path) => [path, as] as const);
    for (const [path, caller] of [...kinds, [`create/b/${user.username}`, admin] as const])
      for (const raw of [
        {},
        { body: '' },
        { body: ' { } ' },
        { body: '{}', headers: { 'content-type': 'text/x' } },
      ]) {
        const reply = await post(`/api/core/token/${path}`, { ...caller, ...raw });
        expect([200, 409], reply.text).toContain(reply.status);
        if (reply.status === 200) noted(reply.body.data.value as string);
      }
    expect((await own('a', as)).code).toBe('token_exists');
    expect((await own('cst_x', as)).code).toBe('invalid_request');
    expect((await own('c', { jwt: await (await createUser()).logIn() })).code).toBe('forbidden');
  });

  test('has them in its record, and makes no wider one in any way', async () => {
    const limits = {
      roles: ['sys_tokens'],
      addresses: ['127.0.0.0/8'],
      expires_in_days: 2,
      description: 'x',
    };
    const { record, credentials } = await open(limits);
    expect(record).toMatchObject({
      ...{ token_roles: ['sys_tokens'], token_addresses: ['127.0.0.0/8'], token_access: 'full' },
      ...{ token_description: 'x', token_last4: record.value.slice(-4) },
    });
    for (const [n, as] of credentials.entries()) {
      const { token_roles, token_addresses, token_expires_at } = record;
      const inherited = { token_roles, token_addresses, token_expires_at };
      for (const reply of [await own(`copy-${n}`, as), await post('/api/core/token/create/logintoken', as)]) {
        expect(reply.body.data).toMatchObject(inherited);
        noted(reply.body.data.value as string);
      }
      for (const wider of [{ roles: ['editor'] }, { addresses: ['0.0.0.0/0'] }, { expires_in_days: 3 }])
        for (const path of ['own/wide', 'create/logintoken'])
          expect((await post(`/api/core/token/${path}`, { ...as, json: wider })).code).toBe('forbidden');
    }
  });

  test('rotates itself, once for each Idempotency-Key, and no wider token', async () => {
    const { user, record, credentials } = await open({ roles: [], expires_in_days: 2 });
    const wide = noted(await user.token('wide'));
    const rotate = (name: string, as: Call, json: object = {}) =>
      post(`/api/core/token/rotate/${name}/${user.username}`, { ...as, json });
    for (const as of credentials) expect((await rotate('wide', as)).code).toBe('forbidden');
    for (const overlap_minutes of [-1, 0.5, 1441, '1'])
      expect((await rotate('narrow', { token: wide }, { overlap_minutes })).code).toBe('invalid_request');
    expect((await rotate('missing', { token: wide })).code).toBe('token_not_found');
    const other = await (await createUser()).token();
    expect((await rotate('narrow', { token: other })).code).toBe('forbidden');

    const headers = { 'idempotency-key': uniqueName('key') };
    const { value: _, ...kept } = record;
    const renewed = { token_created_at: expect.any(String), token_used_at: expect.any(String) };
    const answers = await Promise.all(
      [1, 2].map(() => rotate('narrow', { ...credentials[0], headers }, { overlap_minutes: 1 })),
    );
    const [data, again] = answers.map(({ body }) => body.data);
    expect(again).toEqual(data);
    expect((await get(ping, { token: noted(data.value as string) })).status).toBe(200);
    expect(data).toEqual({ ...kept, ...renewed, value: data.value, token_last4: data.value.slice(-4) });
    for (const as of credentials) expect((await rotate('narrow', as)).code).toBe('forbidden');
  });

  test('ends its sessions when it is deleted', async () => {
    const { user, credentials } = await open({});
    for (const as of credentials) expect((await get(ping, as)).status).toBe(200);
    await remove('narrow', user.username);
    for (const as of credentials) expect((await get(ping, as)).status).toBe(401);
    expect((await get(ping, { jwt: await user.logIn() })).status).toBe(200);
  });
});
