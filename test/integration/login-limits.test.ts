import { beforeEach, describe, expect, test } from 'vitest';
import { PER_NAME } from '#lib/login/attempts';
import { lockForATime } from '#lib/login/lockout';
import { attemptsFromAddressKey, attemptsOfPairKey, attemptsOnNameKey } from '#lib/table/keys';
import { put, remove } from '#lib/table/write';
import { admin, createUser, get, logIn, post, target, type User, uniqueName } from './service.ts';

const guess = (username: string, password = 'wrong-password') =>
  post('/api/core/account/login', { json: { username, password } });

const statuses = async (replies: Promise<{ status: number }>[]) =>
  (await Promise.all(replies)).map(({ status }) => status).sort();

const HERE = '127.0.0.1';
/** The address of all tests starts without failures. */
beforeEach(async () => {
  await remove((await target()).runtime.table, attemptsFromAddressKey(HERE));
});
/** The account has never logged in from here. */
const forgetAddress = async ({ username }: User) =>
  remove((await target()).runtime.table, attemptsOfPairKey(username, HERE));

describe('five failures of a username from one address', () => {
  test('refuse more, the right password too, and say until when', async () => {
    const user = await createUser();
    for (let n = 0; n < 5; n++) expect((await guess(user.username)).status).toBe(401);
    for (const password of ['wrong-password', user.password]) {
      const reply = await guess(user.username.toUpperCase(), password);
      expect(reply.status).toBe(429);
      expect(reply.code).toBe('too_many_requests');
      const after = reply.headers.get('retry-after');
      expect(reply.headers.get('ratelimit-policy')).toBe('"username-and-address";q=5;w=300');
      expect(reply.headers.get('ratelimit')).toBe(`"username-and-address";r=0;t=${after}`);
      expect(Number(after)).toBeGreaterThan(0);
      expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(300);
    }
    expect((await get('/api/core/system/ping', { token: await user.token() })).status).toBe(200);
  });

  test('count alike for a username that does not exist', async () => {
    const username = uniqueName('missing');
    const seen = [];
    for (let n = 0; n < 7; n++) seen.push((await guess(username)).status);
    expect(seen).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  test('are all that 50 parallel guesses get', async () => {
    const user = await createUser();
    const replies = await statuses(Array.from({ length: 50 }, () => guess(user.username)));
    expect(replies).toEqual([...Array(5).fill(401), ...Array(45).fill(429)]);
  });

  test('refuse the right password too, once they stand, wherever it was among parallel guesses', async () => {
    for (let round = 0; round < 3; round++) {
      const user = await createUser();
      for (let n = 0; n < 4; n++) await guess(user.username);
      const wrong = Array.from({ length: 10 }, () => guess(user.username));
      const replies = await Promise.all([...wrong, guess(user.username, user.password)]);
      expect(replies.filter(({ status }) => status === 401 || status === 200)).toHaveLength(1);
    }
  });

  test('do not concern logins that succeed, however many come at once', async () => {
    const user = await createUser();
    const replies = await statuses(Array.from({ length: 20 }, () => guess(user.username, user.password)));
    expect(replies).toEqual(Array(20).fill(200));
  });

  test('cannot be caused for an account by a name that only looks like its own', async () => {
    const user = await createUser({ username: uniqueName('kim') });
    for (let n = 0; n < 5; n++) await guess(user.username.replace('k', '\u212a'));
    await expect(user.logIn()).resolves.toBeTruthy();
  });

  test('are forgotten after a success', async () => {
    const user = await createUser();
    for (let n = 0; n < 4; n++) await guess(user.username);
    await user.logIn();
    for (let n = 0; n < 4; n++) expect((await guess(user.username)).status).toBe(401);
    await expect(user.logIn()).resolves.toBeTruthy();
  });

  test('are forgotten when an administrator unlocks the account', async () => {
    const user = await createUser();
    for (let n = 0; n < 6; n++) await guess(user.username);
    const reply = await post(`/api/core/account/unlock/${user.username}`, admin);
    expect(reply.body.data.changed).toBe(false);
    await expect(user.logIn()).resolves.toBeTruthy();
  });

  test('do not concern the username api', async () => {
    const seen = await statuses(Array.from({ length: 10 }, () => guess('api', 'cst_guess')));
    expect(seen).toEqual(Array(10).fill(401));
  });
});

describe('fifty failures of an account from anywhere', () => {
  /** All but one of them, as if other addresses had tried. */
  async function almostLocked(input: Parameters<typeof createUser>[0] = {}): Promise<User> {
    const user = await createUser(input);
    const { runtime } = await target();
    const attempts = Array.from({ length: PER_NAME.max - 1 }, (_, n) => ({
      id: `${n}`,
      at: Date.now() - 60_000 + n,
      from: `192.0.2.${n}`,
    }));
    await put(runtime.table, attemptsOnNameKey(user.username), { attempts, revision: 1 });
    return user;
  }

  test('lock the password for 15 minutes, and neither sessions nor tokens', async () => {
    const user = await almostLocked();
    const [jwt, token] = [await user.logIn(), await user.token()];
    const began = Date.now();
    await forgetAddress(user);
    expect((await guess(user.username)).status).toBe(401);
    expect((await guess(user.username, user.password)).code).toBe('invalid_credentials');
    const { items } = (await get('/api/core/account/browse', admin)).body.data;
    const item = items.find(({ username }: { username: string }) => username === user.username);
    expect(item).toMatchObject({ islocked: true, isactive: true });
    expect(item.lockoutend).toMatch(/\+00:00$/);
    expect(item.lockoutending).toMatch(/Z$/);
    const lockedAt = Date.parse(item.lockoutend) - 15 * 60_000;
    expect(lockedAt).toBeGreaterThanOrEqual(began);
    expect(lockedAt).toBeLessThanOrEqual(Date.now());
    expect((await get('/api/core/system/ping', { jwt })).status).toBe(200);
    expect((await get('/api/core/system/ping', { token })).status).toBe(200);

    const unlocked = await post(`/api/core/account/unlock/${user.username}`, admin);
    expect(unlocked.body.data).toMatchObject({ changed: true, islocked: false, lockoutend: null });
    await expect(user.logIn()).resolves.toBeTruthy();

    const { runtime } = await target();
    await lockForATime(runtime, user.username, 0);
    await expect(user.logIn(), 'a failure from before the unlock comes too late').resolves.toBeTruthy();
  });

  test('keep nobody out who has logged in from the same address before', async () => {
    const user = await createUser();
    await user.logIn();
    const { runtime } = await target();
    const locked = { attempts: [], revision: 1, locked_at: Date.now() };
    await put(runtime.table, attemptsOnNameKey(user.username), locked);
    await lockForATime(runtime, user.username, 0);
    expect((await guess(user.username)).status).toBe(401);
    await expect(user.logIn()).resolves.toBeTruthy();
    await forgetAddress(user);
    expect((await guess(user.username, user.password)).code).toBe('invalid_credentials');
  });

  test('never lock an account that an operator has exempted', async () => {
    const user = await almostLocked({ lockoutenabled: false });
    await guess(user.username);
    await guess(user.username);
    await expect(logIn(user.username, user.password)).resolves.toBeTruthy();
  });
});
