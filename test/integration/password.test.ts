import { expect, test } from 'vitest';
import { CoreAccountError } from '#lib/client/index';
import { PING } from './security/ways.ts';
import { administrator, call, clientOf, createUser, noted, post } from './service.ts';

// Rules: test/unit/login/change-password.test.ts.
const PASSWORD = '/api/core/account/password';
const NEW = noted('a password of the tests');
const codeOf = async (username: string) => noted((await administrator.account.code({ username })).code);
const pings = async (credential: object) => (await call('GET', PING, credential)).status;

test('a new password ends all sessions but the new one, and API tokens stay valid', async () => {
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

test('a client sends a code without its credential, and a code works once', async () => {
  const { username } = await createUser();
  const client = clientOf({ token: noted('cst_not-a-token') });
  const form = { username, code: await codeOf(username), new_password: NEW };
  const { JWTtoken } = await client.account.password(form);
  expect(await pings({ jwt: noted(JWTtoken) })).toBe(200);
  await expect(client.account.password(form)).rejects.toMatchObject({ code: 'invalid_credentials' });
  const own = client.account.password({ current_password: NEW, new_password: `${NEW}!` });
  await expect(own).rejects.toBeInstanceOf(CoreAccountError);
});
