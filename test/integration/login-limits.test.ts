import { beforeEach, expect, test } from 'vitest';
import { PER_PAIR } from '#lib/login/attempts';
import { attemptsFromAddressKey } from '#lib/table/keys';
import { remove } from '#lib/table/write';
import { admin, createUser, get, post, target } from './service.ts';

const guess = (username: string, password = 'wrong-password') =>
  post('/api/core/account/login', { json: { username, password } });

const HERE = '127.0.0.1';
const { max, windowMs, name } = PER_PAIR;

/** The address of all tests starts without failures. */
beforeEach(async () => {
  await remove((await target()).runtime.table, attemptsFromAddressKey(HERE));
});

test('login names the limit and the seconds to wait after too many failures, until an unlock', async () => {
  const user = await createUser();
  for (let n = 0; n < max; n++) expect((await guess(user.username)).status).toBe(401);
  const { status, code, headers } = await guess(user.username.toUpperCase(), user.password);
  expect([status, code]).toEqual([429, 'too_many_requests']);
  const after = Number(headers.get('retry-after'));
  expect(headers.get('ratelimit-policy')).toBe(`"${name}";q=${max};w=${windowMs / 1000}`);
  expect(headers.get('ratelimit')).toBe(`"${name}";r=0;t=${after}`);
  expect(after).toBeGreaterThan(0);
  expect(after).toBeLessThanOrEqual(windowMs / 1000);
  expect((await get('/api/core/system/ping', { token: await user.token() })).status).toBe(200);
  await post(`/api/core/account/unlock/${user.username}`, admin);
  await expect(user.logIn()).resolves.toBeTruthy();
});
