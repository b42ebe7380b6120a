import { expect, test } from 'vitest';
import { PING } from './security/ways.ts';
import { call, clientOf, createUser, noted, post } from './service.ts';

// Rules: test/unit/login/change-password.test.ts.
const PASSWORD = '/api/core/account/password';
const NEW = noted('a password of the tests');
const pings = async (credential: object) => (await call('GET', PING, credential)).status;

test('a new password ends all sessions except the new one, and API tokens stay valid', async () => {
  const user = await createUser();
  const [jwt, other, token] = [await user.logIn(), await user.logIn(), await user.token()];
  const json = { current_password: user.password, new_password: NEW, createCookie: true };
  const { body, headers } = await post(PASSWORD, { jwt, json });
  expect(body.message).toBe('Password Changed');
  const opened = noted(body.data.JWTtoken);
  expect(headers.get('set-cookie')).toContain(`ptoken=${opened}; Path=/; HttpOnly`);
  expect(headers.get('cache-control')).toBe('no-store');
  const credentials = [{ jwt }, { jwt: other }, { jwt: opened }, { token }];
  expect(await Promise.all(credentials.map(pings))).toEqual([401, 401, 200, 200]);
  const logIn = (password: string) => clientOf().account.login({ username: user.username, password });
  await expect(logIn(user.password)).rejects.toMatchObject({ code: 'invalid_credentials' });
  expect((await logIn(NEW)).username).toBe(user.username);
});
