import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { administrator, baseUrl, createUser, noted, post, type User, uniqueName } from './service.ts';

const login = '/api/core/account/login';

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
