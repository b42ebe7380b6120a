import { expect, test } from 'vitest';
import { admin, createUser, get, post } from './service.ts';

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

test('copies to one account lose no role when they run in parallel', async () => {
  const roles = ['role-0', 'role-1', 'role-2', 'role-3'];
  const sources = await Promise.all(roles.map((role) => createUser({ roles: [role] })));
  const user = await createUser();
  const replies = await Promise.all(sources.map(({ username }) => change(`copy/${username}`, user.username)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { data } = (await get(`/api/core/account/profile/${user.username}`, admin)).body;
  expect(data.roles.sort()).toEqual(roles);
});
