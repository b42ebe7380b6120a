import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { type Credential, createClient } from '#lib/client/index';
import { data, refused, type Seen, scriptedService } from './scripted-service.ts';

const LOGIN = '/api/core/account/login';
const user = { username: 'ada', password: 'correct horse' };

/** A service with sessions, each valid until it is removed from the set, and a client of it. */
async function withSessions(credential?: Credential) {
  const valid = new Set<string>();
  let made = 0;
  const client = await scriptedService(
    ({ path, body, headers }) => {
      if (path === LOGIN) {
        if (JSON.parse(body).password !== user.password) return refused(401, 'invalid_credentials');
        const JWTtoken = `session-${++made}`;
        valid.add(JWTtoken);
        return data({ JWTtoken });
      }
      const [, presented = ''] = headers.authorization?.split(' ') ?? [];
      return valid.has(presented) ? data({ username: presented }) : refused(401, 'unauthenticated');
    },
    { credential },
  );
  return { ...client, valid, logins: () => client.seen.filter(({ path }) => path === LOGIN) };
}

const authorizations = (seen: readonly Seen[]) => seen.map(({ headers }) => headers.authorization);

test('a client logs in with its first requests, which share the session with later ones', async () => {
  const { account, token, seen, logins } = await withSessions(user);
  await Promise.all([account.profile(), token.listOwn(), account.logout()]);
  await account.profile();
  expect(logins().map(({ body }) => JSON.parse(body))).toEqual([user]);
  expect(authorizations(seen)).toEqual([undefined, ...Array(4).fill('Bearer session-1')]);
});

test('a client logs in again when its session has ended, once for all requests', async () => {
  const { account, token, seen, valid, logins } = await withSessions(user);
  await account.profile();
  valid.clear();
  await Promise.all(Array.from({ length: 10 }, () => account.profile()));
  expect(logins()).toHaveLength(2);
  expect(seen.length).toBeLessThanOrEqual(2 + 10 + 1 + 10);
  valid.clear();
  await token.delete({ token_name: 'ci', username: 'ada' });
  expect(authorizations(seen).slice(-3)).toEqual(['Bearer session-2', undefined, 'Bearer session-3']);
});

test('a client throws when a new session is refused, and does not log in a third time', async () => {
  const { account, seen, valid, logins } = await withSessions(user);
  valid.add = () => valid;
  await expect(account.profile()).rejects.toMatchObject({ code: 'unauthenticated', status: 401 });
  expect([logins().length, seen.length]).toEqual([2, 4]);
});

test.each([
  ['a request that is forbidden', 403, 'forbidden'],
  ['a request that needs a passkey', 403, 'step_up_required'],
  ['a wrong current password', 401, 'invalid_credentials'],
])('a client keeps its session after %s, which it sends once', async (_what, status, code) => {
  const { account, seen } = await scriptedService(
    ({ path }) => (path === LOGIN ? data({ JWTtoken: 'session' }) : refused(status, code)),
    { credential: user },
  );
  const change = () => account.password({ current_password: 'x', new_password: 'y' });
  for (const _ of [1, 2]) await expect(change()).rejects.toMatchObject({ code });
  expect(seen.map(({ path }) => path === LOGIN)).toEqual([true, false, false]);
});

test('a client attempts a wrong password once for all waiting requests, and again for later ones', async () => {
  const { account, logins } = await withSessions({ ...user, password: 'wrong' });
  const outcomes = await Promise.allSettled([account.profile(), account.profile(), account.profile()]);
  const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
  expect(codes).toEqual(Array(3).fill('invalid_credentials'));
  expect(logins()).toHaveLength(1);
  await expect(account.profile()).rejects.toMatchObject({ code: 'invalid_credentials' });
  expect(logins()).toHaveLength(2);
});

test('a request that gives up leaves the login to the others', async () => {
  const { account, logins } = await withSessions(user);
  const abort = new AbortController();
  const aborted = account.profile({}, { signal: abort.signal });
  const { signal } = new AbortController();
  const kept = account.profile({}, { signal });
  abort.abort();
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  await expect(kept).resolves.toEqual({ username: 'session-1' });
  expect(logins()).toHaveLength(1);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a signal ends the wait for a new session too', async () => {
  const abort = new AbortController();
  let sessions = 0;
  const session = () => {
    if (++sessions === 1) return 'ended';
    abort.abort(new Error('of the caller'));
    return new Promise<string>(() => {});
  };
  const { account } = await withSessions({ session });
  await expect(account.profile({}, { signal: abort.signal })).rejects.toThrow('of the caller');
});

test('a client presents a given token or session as it is, and never replaces it', async () => {
  const { url, seen } = await withSessions();
  for (const credential of [{ token: 'a-token' }, { session: 'a-session' }, undefined])
    await expect(createClient({ url, credential }).account.profile()).rejects.toMatchObject({ status: 401 });
  expect(authorizations(seen)).toEqual(['Token a-token', 'Bearer a-session', undefined]);
});

test('a client calls a function for a session once, and again when that has ended', async () => {
  let called = 0;
  const session = async () => {
    valid.add(`own-${++called}`);
    return `own-${called}`;
  };
  const { account, seen, valid, logins } = await withSessions({ session });
  await Promise.all([account.profile(), account.profile()]);
  valid.delete('own-1');
  await account.profile();
  expect(authorizations(seen)).toEqual(['own-1', 'own-1', 'own-1', 'own-2'].map((one) => `Bearer ${one}`));
  expect(logins()).toEqual([]);
});

test('a client presents nothing to a public operation, nor with a one-time code', async () => {
  const { account, docs, system, seen } = await withSessions(user);
  await Promise.allSettled([system.jwks(), docs.openapi(), account.login({ ...user, password: 'x' })]);
  await Promise.allSettled([account.password({ username: 'ada', code: 'x', new_password: 'y' })]);
  expect(authorizations(seen)).toEqual(Array(4).fill(undefined));
  await Promise.allSettled([account.password({ current_password: 'x', new_password: 'y' })]);
  expect(authorizations(seen).at(-1)).toBe('Bearer session-1');
});
