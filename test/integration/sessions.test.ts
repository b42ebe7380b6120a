import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { administrator, baseUrl, createUser, get, noted, post, type User, uniqueName } from './service.ts';

const login = '/api/core/account/login';
const ping = '/api/core/system/ping';

test('a session is valid until its account logs out, and refused at the next request', async () => {
  const user = await createUser();
  const [one, two] = [await user.logIn(), await user.logIn()];
  expect((await get(ping, { jwt: one })).status).toBe(200);
  const reply = await get('/api/core/account/logout', { jwt: one });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('set-cookie')).toMatch(/^ptoken=; Path=\/; HttpOnly; .*SameSite=Lax; Max-Age=0$/);
  expect((await get(ping, { jwt: one })).status).toBe(401);
  expect((await get(ping, { jwt: two })).status).toBe(401);
  expect((await get(ping, { jwt: await user.logIn() })).status, 'a login in the same second').toBe(200);
});

test('login sets a cookie that is secure over https when createCookie is true', async () => {
  const { username, password } = await createUser();
  const reply = await post(login, { json: { username, password, createCookie: true } });
  const secure = baseUrl.startsWith('https:') ? ['Secure'] : [];
  expect(reply.headers.get('set-cookie')?.split('; ')).toEqual([
    ...[`ptoken=${noted(reply.body.data.JWTtoken)}`, 'Path=/', 'HttpOnly', ...secure],
    ...['SameSite=Lax', `Max-Age=${reply.body.data.expires_in}`],
  ]);
});

test('a session token verifies with the published keys', async () => {
  const jwt = await (await createUser()).logIn();
  expect(decodeProtectedHeader(jwt)).toEqual({ alg: 'ES256', kid: expect.any(String), typ: 'at+jwt' });
  const { iss = '' } = decodeJwt(jwt);
  const keys = createRemoteJWKSet(new URL(`${baseUrl}/api/core/system/jwks`));
  await expect(jwtVerify(jwt, keys, { typ: 'at+jwt', issuer: iss, audience: iss })).resolves.toBeTruthy();
});

const wrong = noted('wrong-password');
const changed = async (change: (user: User) => Promise<unknown>) => {
  const user = await createUser();
  await change(user);
  return user;
};

test('login answers every failure alike (ASVS 5 6.3.8)', async () => {
  const attempts = [
    { username: uniqueName(), password: wrong },
    { username: 'no such\u0000user', password: wrong },
    { username: '', password: wrong },
    { ...(await createUser()), password: wrong },
    { ...(await createUser()), password: '' },
    { ...(await createUser({ password: 'p'.repeat(72) })), password: `${'p'.repeat(72)}!` },
    { ...(await createUser({ password: undefined })), password: '' },
    await changed(({ username }) => administrator.account.lock({ username })),
    await changed(({ username }) => administrator.account.cancel({ username })),
  ];
  const answers = new Set<string>();
  for (const { username, password } of attempts) {
    const { status, headers, body } = await post(login, { json: { username, password } });
    const { requestID: _, executed_at: __, ...rest } = body;
    answers.add(JSON.stringify([status, headers.get('www-authenticate'), rest]));
  }
  expect(answers.size).toBe(1);
  const [status, challenge, { data }] = JSON.parse([...answers].join());
  expect([status, challenge, data]).toEqual([
    401,
    expect.stringContaining('Bearer'),
    { code: 'invalid_credentials' },
  ]);
});
