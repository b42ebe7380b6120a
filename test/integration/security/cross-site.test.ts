import { expect, test } from 'vitest';
import { routes } from '#lib/routes';
import { requestOf } from '../requests.ts';
import { call, createUser, get, post } from '../service.ts';
import { PING, stateOf } from './ways.ts';

// Rules: test/unit/auth/cross-site.test.ts. With a real browser: test/browser/cross-site.test.ts.
const CROSS_SITE = { 'sec-fetch-site': 'cross-site' };
const isChanging = ({ method, contract }: (typeof routes)[number]) =>
  (method !== 'GET' || contract.unsafe === true) && contract.access !== 'public';

test.each(routes.filter(isChanging))(
  '$method $path refuses the cookie from another site and changes nothing (ASVS 5 3.5.1)',
  async ({ method, contract: { id } }) => {
    const user = await createUser({ roles: ['sys_administrator', 'sys_tokens'] });
    const cookie = `ptoken=${await user.logIn()}`;
    const [, path, { headers, ...content }] = requestOf(id, user);
    const before = await stateOf(user);
    const reply = await call(method, path, { ...content, headers: { ...headers, cookie, ...CROSS_SITE } });
    expect([reply.status, reply.code]).toEqual([403, 'forbidden']);
    expect(await stateOf(user)).toEqual(before);
  },
);

test('only the cookie is bound to its site, and only for requests that change something', async () => {
  const user = await createUser();
  const [jwt, token] = [await user.logIn(), await user.token()];
  const cookie = `ptoken=${jwt}`;
  const statuses = [
    await get(PING, { headers: { cookie, ...CROSS_SITE } }),
    await post(PING, { headers: { cookie, 'sec-fetch-site': 'same-origin' } }),
    await post(PING, { headers: { cookie } }),
    await post(PING, { token, headers: CROSS_SITE }),
    await post(PING, { jwt, headers: CROSS_SITE }),
    await get('/api/core/account/logout', { headers: { cookie, 'sec-fetch-site': 'same-origin' } }),
  ].map(({ status }) => status);
  expect(statuses).toEqual(statuses.map(() => 200));
});
