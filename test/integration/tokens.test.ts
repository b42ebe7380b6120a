import { describe, expect, test } from 'vitest';
import {
  admin,
  administrator,
  call,
  createUser,
  get,
  noted,
  post,
  type User,
  uniqueName,
} from './service.ts';

const ping = '/api/core/system/ping';
const create = (name: string, username: string, as = admin) =>
  post(`/api/core/token/create/${name}/${username}`, as);
const remove = (name: string, username: string, as = admin) =>
  post(`/api/core/token/delete/${name}/${username}`, as);

test('a token is created, used, listed without its secret, deleted, and refused on the very next request', async () => {
  const user = await createUser();
  const created = await create('ci', user.username);
  const secret = noted(created.body.data.value as string);
  expect(created.body.data).toEqual({
    username: user.username,
    userid: user.account.id,
    loginprovider: 'api',
    name: 'ci',
    value: expect.stringMatching(/^cst_/),
    token_created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/),
    token_used_at: created.body.data.token_created_at,
    token_created_by: 'admin',
  });

  const unused = await get('/api/core/token/user', { jwt: await user.logIn() });
  expect(unused.body).toMatchObject({ message: 'Token List' });
  expect(unused.body.data.items).toEqual([{ ...created.body.data, value: null }]);

  expect((await get(ping, { token: secret })).status).toBe(200);
  const listed = async () => (await get(`/api/core/token/user/${user.username}`, admin)).body.data.items[0];
  await expect.poll(async () => (await listed()).token_used_at).not.toBe(created.body.data.token_created_at);
  const used = await listed();
  expect(used.token_used_at > used.token_created_at).toBe(true);

  await get(ping, { token: secret });
  const again = (await get(`/api/core/token/user/${user.username}`, admin)).body.data.items[0];
  expect(again.token_used_at, 'later uses are written once a minute').toBe(used.token_used_at);

  expect((await remove('ci', user.username)).body.data).toEqual({ username: user.username, name: 'ci' });
  expect((await get(ping, { token: secret })).status).toBe(401);
  expect((await remove('ci', user.username)).code).toBe('token_not_found');
});

test('an owner deletes own tokens, and nobody else’s', async () => {
  const [owner, other] = [await createUser(), await createUser()];
  const [mine, theirs] = [await owner.token('mine'), await other.token('theirs')];
  expect((await remove('mine', owner.username, { token: theirs })).status).toBe(403);
  expect((await remove('mine', owner.username.toUpperCase(), { token: mine })).status).toBe(200);
  expect((await get(ping, { token: mine })).status).toBe(401);
});

test('of parallel requests for one name exactly one creates the token', async () => {
  const user = await createUser();
  const replies = await Promise.all(Array.from({ length: 10 }, () => create('same', user.username)));
  for (const { body } of replies) if (body.data.value) noted(body.data.value);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  expect(replies.find(({ status }) => status === 409)?.code).toBe('token_exists');
});

test('an account has at most 100 tokens, however many ask at once', async () => {
  const user = await createUser();
  for (let n = 0; n < 90; n += 10)
    await Promise.all(Array.from({ length: 10 }, (_, m) => create(`t${n + m}`, user.username)));
  const last = await Promise.all(Array.from({ length: 20 }, (_, n) => create(`last${n}`, user.username)));
  for (const { body } of last) if (body.data.value) noted(body.data.value);
  expect(last.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(last.filter(({ code }) => code === 'token_limit')).toHaveLength(10);
  const { items } = (await get(`/api/core/token/user/${user.username}`, admin)).body.data;
  expect(items).toHaveLength(100);
  await remove('t0', user.username);
  expect((await create('room-again', user.username)).status).toBe(200);
});

describe('create/logintoken', () => {
  const path = '/api/core/token/create/logintoken';

  test('makes a token for its caller, and each time another', async () => {
    const user = await createUser({ roles: ['sys_tokens'] });
    const jwt = await user.logIn();
    const first = await post(path, { jwt });
    expect(first.body.data).toMatchObject({ name: 'logintoken', username: user.username });
    const second = await post(path, { jwt });
    expect((await get(ping, { token: first.body.data.value })).status).toBe(401);
    expect((await get(ping, { token: second.body.data.value })).status).toBe(200);
    expect((await get('/api/core/token/user', { jwt })).body.data.items).toHaveLength(1);
  });

  test('leaves one usable token, however many ask at once', async () => {
    const user = await createUser({ roles: ['sys_tokens'] });
    const jwt = await user.logIn();
    const replies = await Promise.all(Array.from({ length: 8 }, () => post(path, { jwt })));
    const secrets = replies.flatMap(({ status, body }) =>
      status === 200 ? [noted(body.data.value as string)] : [],
    );
    const usable = await Promise.all(secrets.map((token) => get(ping, { token })));
    expect(usable.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('needs sys_tokens, which sys_administrator does not include', async () => {
    const user = await createUser({ roles: ['sys_administrator'] });
    expect((await post(path, { jwt: await user.logIn() })).status).toBe(403);
  });
});

test('tokens survive a cancel, unusable, and work again after reactivation', async () => {
  const user = await createUser();
  const token = await user.token('kept');
  await administrator.account.cancel({ username: user.username });
  expect((await get(ping, { token })).status).toBe(401);
  expect((await create('another', user.username)).code).toBe('account_cancelled');
  expect((await get(`/api/core/token/user/${user.username}`, admin)).body.data.items).toHaveLength(1);
  await administrator.account.reactivate({ username: user.username });
  expect((await get(ping, { token })).status).toBe(200);
});

test.each(['-a', '.a', 'a%20b', 'a%2Fb', 'x'.repeat(129), '%C3%A4'])(
  'refuses the token name %s',
  async (name) => {
    const user = await createUser();
    const reply = await call('POST', `/api/core/token/create/${name}/${user.username}`, admin);
    expect([400, 404]).toContain(reply.status);
    expect(reply.status === 400 ? reply.body.data.errors[0].field : reply.text).toMatch(
      /token_name|Not Found/,
    );
  },
);

test('the list of all tokens is sorted by owner and paged without a gap or a repeat', async () => {
  const prefix = uniqueName('page');
  for (const suffix of ['c', 'A', 'b']) {
    const user = await createUser({ username: `${prefix}-${suffix}` });
    await user.token('two');
    await user.token('one');
  }
  const all: { username: string; name: string; value: null }[] = [];
  let cursor = '';
  do {
    const { data } = (await get(`/api/core/token/browse?limit=7${cursor}`, admin)).body;
    expect(data.items.length).toBeLessThanOrEqual(7);
    all.push(...data.items);
    cursor = data.next_cursor === undefined ? '' : `&cursor=${encodeURIComponent(data.next_cursor)}`;
  } while (cursor);
  const mine = all.filter(({ username }) => username.startsWith(prefix));
  expect(mine.map(({ username, name }) => `${username.slice(-1)} ${name}`)).toEqual([
    'A one',
    'A two',
    'b one',
    'b two',
    'c one',
    'c two',
  ]);
  expect(all.every(({ value }) => value === null)).toBe(true);
  const whole = (await get('/api/core/token/browse', admin)).body.data;
  expect(whole.next_cursor).toBeUndefined();
});

describe('Idempotency-Key', () => {
  const createWith = (key: string, name: string, { username }: User, as = admin) =>
    create(name, username, { ...as, headers: { 'idempotency-key': key } });

  test('makes the creation of a token safe to repeat, and its secret works', async () => {
    const [user, key] = [await createUser(), uniqueName('key')];
    const replies = await Promise.all(Array.from({ length: 4 }, () => createWith(key, 'ci', user)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [first] = replies;
    const token = noted(first?.body.data.value);
    for (const { body } of replies) expect(body.data).toEqual(first?.body.data);
    expect((await get('/api/core/system/ping', { token })).status).toBe(200);
    expect((await createWith(key, 'ci', user)).body.data).toEqual(first?.body.data);
    expect((await get('/api/core/token/user', { token })).body.data.items).toHaveLength(1);

    expect((await createWith(key, 'cd', user)).code, 'another name').toBe('idempotency_key_reused');
    const other = await createUser({ roles: ['sys_administrator'] });
    expect((await createWith(key, 'ci', user, { token: await other.token() })).code).toBe('token_exists');
    await administrator.token.delete({ token_name: 'ci', username: user.username });
    const gone = await createWith(key, 'ci', user);
    expect([gone.status, gone.code]).toEqual([409, 'token_deleted']);
  });

  test.each(['', 'two words', 'x'.repeat(256), 'ä'])('may not be %j', async (key) => {
    const reply = await createWith(Buffer.from(key).toString('latin1'), 'ci', await createUser());
    expect(reply.status).toBe(400);
    expect(reply.body.data.errors[0].field).toBe('idempotency-key');
  });
});
