import { expect, test } from 'vitest';
import { admin, createUser, get, noted, post, uniqueName } from './service.ts';

const change = (verb: string, username: string, as = admin) =>
  post(`/api/core/account/${verb}/${username}`, as);

test.each(['lock', 'cancel'])(
  'one of two administrators remains when they %s each other at once',
  async (verb) => {
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
      const pings = [tokenOne, tokenTwo].map((token) => get('/api/core/system/ping', { token }));
      expect((await Promise.all(pings)).map(({ status }) => status).sort()).toEqual([200, 401]);
    }
  },
);

test('a new account sets its password with the code of its invitation', async () => {
  const json = { username: uniqueName('new'), roles: ['editor'], invite_hours: 1 };
  const request = { ...admin, json, headers: { 'idempotency-key': uniqueName('key') } };
  const [first, again] = [await invite(request), await invite(request)];
  const { code, ...item } = first.body.data;
  expect(item).toMatchObject({ username: json.username, roles: 1, isactive: true });
  expect(again.body.data).toEqual(first.body.data);
  const password = {
    username: json.username,
    code: noted(String(code)),
    new_password: noted('a long enough one'),
  };
  const { data } = (await post('/api/core/account/password', { json: password })).body;
  const profile = await get('/api/core/account/profile', { jwt: noted(String(data.JWTtoken)) });
  expect(profile.body.data.roles).toEqual(['editor']);
  const other = { ...request, headers: {} };
  expect((await invite(other)).code).toBe('account_exists');
});

const invite = (request: typeof admin) => post('/api/core/account/create', request);
