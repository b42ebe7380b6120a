import { once } from 'node:events';
import { get as request } from 'node:http';
import { expect, test } from 'vitest';
import { baseUrl, createUser, logIn, type User } from '../service.ts';
import { outcomesOf, PING, type Presented, REFUSED, sessionWays, tokenWays } from './ways.ts';

// All routes for credentials that may only read, or are limited in their roles: principals.test.ts.

/** The status of a ping from another address of this machine. */
async function statusFrom(localAddress: string, { headers, query = '' }: Presented): Promise<number> {
  const url = `${baseUrl}${PING}?${query}`;
  const [response] = await once(request(url, { headers, localAddress }), 'response');
  response.resume();
  return response.statusCode;
}

/** A token with limits in every way to present it, and a session that it has logged in. */
async function waysOf(user: User, limits: Parameters<User['token']>[1]) {
  const token = await user.token(undefined, limits);
  return [...tokenWays(token), ...sessionWays(await logIn('api', token))];
}

test('a credential of another address is refused however it is presented', async () => {
  const ways = await waysOf(await createUser(), { addresses: ['127.0.0.1'] });
  for (const [address, status] of [
    ['127.0.0.1', 200],
    ['127.0.0.2', 401],
  ] as const)
    for (const way of ways) expect([address, await statusFrom(address, way)]).toEqual([address, status]);
});

test('an expired token and its session are refused however they are presented', async () => {
  const user = await createUser();
  const end = Date.now() + 10_000;
  const ways = await waysOf(user, { expires_at: new Date(end).toISOString() });
  expect(await outcomesOf(ways)).toEqual([`200 ${user.username}`]);
  await expect.poll(() => Date.now(), { timeout: 20_000 }).toBeGreaterThanOrEqual(end);
  expect(await outcomesOf(ways)).toEqual([REFUSED]);
});
