import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { baseUrl, createUser } from './service.ts';

test('a session token verifies with the published keys', async () => {
  const jwt = await (await createUser()).logIn();
  expect(decodeProtectedHeader(jwt)).toEqual({ alg: 'ES256', kid: expect.any(String), typ: 'at+jwt' });
  const { iss = '' } = decodeJwt(jwt);
  const keys = createRemoteJWKSet(new URL(`${baseUrl}/api/core/system/jwks`));
  await expect(jwtVerify(jwt, keys, { typ: 'at+jwt', issuer: iss, audience: iss })).resolves.toBeTruthy();
});
