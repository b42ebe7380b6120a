import { expect, test } from 'vitest';
import { CoreAccountError } from '#lib/client/index';
import { PING } from './security/ways.ts';
import { admin, administrator, call, clientOf, createUser, noted, post } from './service.ts';

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

test.each<[string, object, number, number]>([
  ['read-only', { access: 'read' }, 403, 403],
  ['without roles', { roles: [] }, 403, 403],
  ['with one role', { roles: ['sys_administrator'] }, 403, 403],
  ['bound to this address', { addresses: ['127.0.0.1', '::1'] }, 200, 403],
  ['bound to another address', { addresses: ['192.0.2.1'] }, 401, 401],
  ['that expires', { expires_in_days: 1 }, 200, 200],
])('a token %s may do as much as it is wide, and so may its session', async (_what, terms, own, code) => {
  const roles = ['sys_administrator', 'sys_tokens'];
  for (const isSession of [false, true]) {
    const [user, other] = [await createUser({ roles }), await createUser()];
    const created = await post(`/api/core/token/create/narrow/${user.username}`, { ...admin, json: terms });
    const token = noted(created.body.data.value as string);
    const login = { json: { username: 'api', password: token } };
    const jwt = isSession ? (await post('/api/core/account/login', login)).body.data.JWTtoken : undefined;
    if (isSession && !jwt) continue;
    const credential = isSession ? { jwt: noted(jwt) } : { token };
    const made = await post(`/api/core/account/code/${other.username}`, credential);
    if (made.status === 200) noted(made.body.data.code);
    const json = { current_password: user.password, new_password: NEW };
    const changed = await post(PASSWORD, { ...credential, json });
    expect([changed.status, made.status]).toEqual([own, code]);
  }
});
