import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { NOON } from '../support/engine.ts';
import { openPasskeys } from './bench.ts';

const { user, assert, authenticate } = await openPasskeys();

test('an assertion answers a session of level 2', async () => {
  const { account, device } = await user();
  const { data, login } = await assert(device);
  expect(data.username).toBe(account.username);
  const claims = decodeJwt(data.JWTtoken);
  expect(claims).toMatchObject({ amr: ['pop', 'user', 'mfa'], auth_time: NOON / 1000, sub: account.id });
  expect(Object.values(account.passkeys ?? {})).toEqual([claims['pid']]);
  expect(login).toEqual({ credential: 'passkey:phone', session: claims.jti });
  expect((await authenticate(data.JWTtoken)).caller.id).toBe(account.id);
});
