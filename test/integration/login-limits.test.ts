import { beforeEach, describe, expect, test } from 'vitest';
import { PER_NAME, PER_PAIR } from '#lib/login/attempts';
import { attemptsFromAddressKey, attemptsOfPairKey, attemptsOnNameKey } from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { admin, createUser, get, post, target, type User, uniqueName } from './service.ts';

const guess = (username: string, password = 'wrong-password') =>
  post('/api/core/account/login', { json: { username, password } });
const guesses = async (n: number, username: string, password?: string) => {
  const replies = await Promise.all(Array.from({ length: n }, () => guess(username, password)));
  return replies.map(({ status }) => status).sort();
};
const unlock = ({ username }: User) => post(`/api/core/account/unlock/${username}`, admin);
const times = (n: number, status: number) => Array<number>(n).fill(status);

const HERE = '127.0.0.1';
const { max, windowMs, name } = PER_PAIR;
const SECONDS = windowMs / 1000;

/** The address of all tests starts without failures. */
beforeEach(async () => {
  await remove((await target()).runtime.table, attemptsFromAddressKey(HERE));
});

describe('an exhausted username and address', () => {
  test('is refused with the limit and the seconds to wait, while tokens work, until an unlock', async () => {
    const user = await createUser();
    for (let n = 0; n < max; n++) expect((await guess(user.username)).status).toBe(401);
    for (const password of ['wrong-password', user.password]) {
      const { status, code, headers } = await guess(user.username.toUpperCase(), password);
      expect([status, code]).toEqual([429, 'too_many_requests']);
      const after = Number(headers.get('retry-after'));
      expect(headers.get('ratelimit-policy')).toBe(`"${name}";q=${max};w=${SECONDS}`);
      expect(headers.get('ratelimit')).toBe(`"${name}";r=0;t=${after}`);
      expect(after).toBeGreaterThan(0);
      expect(after).toBeLessThanOrEqual(SECONDS);
    }
    expect((await get('/api/core/system/ping', { token: await user.token() })).status).toBe(200);
    expect((await unlock(user)).body.data.changed).toBe(false);
    await expect(user.logIn()).resolves.toBeTruthy();
  });

  test('refuses the rest of parallel guesses, for a username without an account too', async () => {
    const user = await createUser();
    for (const username of [user.username, uniqueName('missing')])
      expect(await guesses(10 * max, username)).toEqual([...times(max, 401), ...times(9 * max, 429)]);
  });

  test('is not reached by parallel logins, by guesses as api, or by guesses of a similar name', async () => {
    const user = await createUser({ username: uniqueName('kim') });
    expect(await guesses(4 * max, user.username, user.password)).toEqual(times(4 * max, 200));
    expect(await guesses(2 * max, 'api', 'cst_guess')).toEqual(times(2 * max, 401));
    await guesses(max, user.username.replace('k', '\u212a'));
    await expect(user.logIn()).resolves.toBeTruthy();
  });
});

test('the last failure of a username locks its password, not its sessions and tokens, until an unlock', async () => {
  const user = await createUser();
  const { table } = (await target()).runtime;
  const attempts = Array.from({ length: PER_NAME.max - 1 }, (_, n) => ({
    id: `${n}`,
    at: Date.now() - 60_000 + n,
    from: `192.0.2.${n}`,
  }));
  await put(table, attemptsOnNameKey(user.username), { attempts, revision: 1 });
  const [jwt, token] = [await user.logIn(), await user.token()];
  const known = await guess(user.username, user.password);
  expect(known.status).toBe(200);
  await remove(table, attemptsOfPairKey(user.username, HERE));

  const began = Date.now();
  expect((await guess(user.username)).code).toBe('invalid_credentials');
  expect((await guess(user.username, user.password)).code).toBe('invalid_credentials');
  const { items } = (await get('/api/core/account/browse', admin)).body.data;
  const item = items.find(({ username }: { username: string }) => username === user.username);
  expect(item).toMatchObject({ islocked: true, isactive: true });
  const lockedAt = Date.parse(item.lockoutend) - (PER_NAME.lockoutMs ?? 0);
  expect(lockedAt).toBeGreaterThanOrEqual(began);
  expect(lockedAt).toBeLessThanOrEqual(Date.now());
  for (const credential of [{ jwt }, { token }])
    expect((await get('/api/core/system/ping', credential)).status).toBe(200);

  expect((await unlock(user)).body.data).toMatchObject({ changed: true, islocked: false, lockoutend: null });
  await expect(user.logIn()).resolves.toBeTruthy();
});
