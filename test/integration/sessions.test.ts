import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { setPassword } from '#lib/password/set-password';
import {
  administrator,
  baseUrl,
  createUser,
  get,
  logIn,
  noted,
  post,
  target,
  uniqueName,
} from './service.ts';

const login = '/api/core/account/login';
const logout = '/api/core/account/logout';
const ping = '/api/core/system/ping';

test('a session is used until its account logs out, and refused on the very next request', async () => {
  const user = await createUser();
  const [one, two] = [await user.logIn(), await user.logIn()];
  const token = await user.token();
  expect((await get(ping, { jwt: one })).status).toBe(200);
  const reply = await get(logout, { jwt: one });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('set-cookie')).toMatch(/^ptoken=; Path=\/; HttpOnly; .*SameSite=Lax; Max-Age=0$/);
  expect((await get(ping, { jwt: one })).status).toBe(401);
  expect((await get(ping, { jwt: two })).status).toBe(401);
  expect((await get(ping, { token })).status, 'API tokens live on').toBe(200);
  expect((await get(ping, { jwt: await user.logIn() })).status, 'a login in the same second').toBe(200);
});

test('a login answers the session and what it is', async () => {
  const user = await createUser();
  const reply = await post(login, {
    json: { username: user.username.toUpperCase(), password: user.password },
  });
  expect(reply.body.data).toEqual({
    JWTtoken: noted(reply.body.data.JWTtoken),
    token_type: 'Bearer',
    expires_in: 86_400,
    expires_at: expect.stringMatching(/Z$/),
    username: user.username,
  });
  expect(reply.headers.get('set-cookie')).toBeNull();
  expect(Date.parse(reply.body.data.expires_at)).toBe(
    (decodeJwt(reply.body.data.JWTtoken).exp as number) * 1000,
  );
});

test('createCookie sets a cookie that scripts cannot read and other sites cannot send', async () => {
  const user = await createUser();
  const json = { username: user.username, password: user.password, createCookie: true };
  const reply = await post(login, { json });
  const [pair, ...attributes] = (reply.headers.get('set-cookie') ?? '').split('; ');
  expect(pair).toBe(`ptoken=${noted(reply.body.data.JWTtoken)}`);
  expect(attributes.filter((attribute) => attribute !== 'Secure')).toEqual([
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    'Max-Age=86400',
  ]);
  expect(attributes.includes('Secure')).toBe(baseUrl.startsWith('https:'));
});

test('an API token logs in as the user `api`, and no other way', async () => {
  const user = await createUser();
  const token = await user.token();
  const reply = await post(login, { json: { username: 'api', password: token } });
  expect(reply.body.data.username).toBe(user.username);
  expect((await get(ping, { jwt: noted(reply.body.data.JWTtoken) })).status).toBe(200);
  expect((await post(login, { json: { username: 'API', password: token } })).code).toBe(
    'invalid_credentials',
  );
  expect((await post(login, { json: { username: user.username, password: token } })).status).toBe(401);
});

test('a session token verifies with the published keys and says no more than it must', async () => {
  const user = await createUser();
  const jwt = await user.logIn();
  expect(decodeProtectedHeader(jwt)).toEqual({ alg: 'ES256', kid: expect.any(String), typ: 'at+jwt' });
  const claims = decodeJwt(jwt);
  expect(Object.keys(claims).sort()).toEqual(
    ['aud', 'exp', 'iat', 'iss', 'jti', 'name', 'nbf', 'sst', 'sub'].sort(),
  );
  expect(claims).toMatchObject({ sub: user.account.id, name: user.username });
  expect(claims.exp).toBe((claims.iat ?? 0) + 86_400);
  const keys = createRemoteJWKSet(new URL(`${baseUrl}/api/core/system/jwks`));
  await expect(
    jwtVerify(jwt, keys, { typ: 'at+jwt', issuer: claims.iss, audience: claims.iss }),
  ).resolves.toBeTruthy();
});

describe('every failed login is answered alike', () => {
  const bodies = new Set<string>();

  test.each<[string, () => Promise<{ username: string; password: string }>]>([
    ['an unknown username', async () => ({ username: uniqueName(), password: noted('wrong-password') })],
    [
      'a name that cannot exist',
      async () => ({ username: 'no such\u0000user', password: noted('wrong-password') }),
    ],
    ['an empty name', async () => ({ username: '', password: noted('wrong-password') })],
    [
      'a wrong password',
      async () => ({ username: (await createUser()).username, password: noted('wrong-password') }),
    ],
    ['an empty password', async () => ({ username: (await createUser()).username, password: '' })],
    [
      'a password that is too long',
      async () => {
        const user = await createUser({ password: 'p'.repeat(72) });
        return { username: user.username, password: `${'p'.repeat(72)}!` };
      },
    ],
    [
      'an account without a password',
      async () => ({ username: (await createUser({ password: undefined })).username, password: '' }),
    ],
    [
      'a locked account',
      async () => {
        const user = await createUser();
        await administrator.account.lock({ username: user.username });
        return user;
      },
    ],
    [
      'a cancelled account',
      async () => {
        const user = await createUser();
        await administrator.account.cancel({ username: user.username });
        return user;
      },
    ],
  ])('%s', async (_, credentials) => {
    const { username, password } = await credentials();
    const reply = await post(login, { json: { username, password } });
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toContain('Bearer');
    const { requestID, executed_at, ...rest } = reply.body;
    bodies.add(JSON.stringify(rest));
    expect([...bodies]).toHaveLength(1);
    expect(rest.data).toEqual({ code: 'invalid_credentials' });
  });

  test.each([
    [{ username: 'x' }],
    [{ password: 'x' }],
    [{ username: 1, password: 'x' }],
    [{ username: 'x', password: null }],
    [{ username: 'x', password: 'x', createCookie: 'true' }],
    [[]],
    ['x'],
    [null],
  ])('but a body of other types is 400: %j', async (json) => {
    expect((await post(login, { json })).status).toBe(400);
  });
});

test('a password of 72 bytes works, in whatever form its characters were typed', async () => {
  const user = await createUser({ password: `ﬁancé-${'p'.repeat(20)}` });
  await expect(logIn(user.username, `fiance\u0301-${'p'.repeat(20)}`)).resolves.toBeTruthy();
});

test('a new password ends every session and the old password', async () => {
  const { runtime } = await target();
  const user = await createUser();
  const jwt = await user.logIn();
  await setPassword(runtime, user.account, noted('another-password'));
  expect((await get(ping, { jwt })).status).toBe(401);
  expect((await post(login, { json: { username: user.username, password: user.password } })).status).toBe(
    401,
  );
  await expect(logIn(user.username, 'another-password')).resolves.toBeTruthy();
});
