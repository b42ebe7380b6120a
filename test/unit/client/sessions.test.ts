import { expect, test } from 'vitest';
import { createClient } from '#lib/client/index';
import { data, refused, type Seen, scriptedService } from './scripted-service.ts';

const LOGIN = '/api/core/account/login';
const user = { username: 'ada', password: 'correct horse' };

/** A service with sessions; a credential ends as soon as it is taken away. */
async function withSessions() {
  const valid = new Set<string>();
  const service = await scriptedService(({ path, body, headers }) => {
    if (path === LOGIN) {
      if (JSON.parse(body).password !== user.password) return refused(401, 'invalid_credentials');
      const JWTtoken = `session-${service.seen.filter((one) => one.path === LOGIN).length}`;
      valid.add(JWTtoken);
      return data({ JWTtoken });
    }
    const [, presented = ''] = headers.authorization?.split(' ') ?? [];
    return valid.has(presented) ? data({ username: presented }) : refused(401, 'unauthenticated');
  });
  const logins = () => service.seen.filter(({ path }) => path === LOGIN);
  return { ...service, valid, logins };
}

const authorizations = (seen: readonly Seen[]) => seen.map(({ headers }) => headers.authorization);

test('a client logs in with the first request; those beside it share the login, and those after it the session', async () => {
  const { url, seen, logins } = await withSessions();
  const { account, token } = createClient({ url, credential: user });
  await Promise.all([account.profile(), token.listOwn(), account.logout()]);
  await account.profile();
  expect(logins()).toHaveLength(1);
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual(user);
  expect(authorizations(seen)).toEqual([undefined, ...Array(4).fill('Bearer session-1')]);
});

test('when the session has ended it logs in again, once for all requests, whatever they are', async () => {
  const { url, seen, valid, logins } = await withSessions();
  const { account, token } = createClient({ url, credential: user });
  await account.profile();
  valid.clear();
  await Promise.all(Array.from({ length: 10 }, () => account.profile()));
  expect(logins()).toHaveLength(2);
  expect(seen.length).toBeLessThanOrEqual(2 + 10 + 1 + 10);
  valid.clear();
  await token.delete({ token_name: 'ci', username: 'ada' });
  expect(authorizations(seen).slice(-3)).toEqual(['Bearer session-2', undefined, 'Bearer session-3']);
});

test('a session that is refused as soon as it is made is an error, not a reason for another login', async () => {
  const { url, seen, valid, logins } = await withSessions();
  valid.add = () => valid;
  await expect(createClient({ url, credential: user }).account.profile()).rejects.toMatchObject({
    code: 'unauthenticated',
    status: 401,
  });
  expect(logins()).toHaveLength(2);
  expect(seen).toHaveLength(4);
});

test('a wrong password is tried once, however many requests wait for it; later ones may try again', async () => {
  const { url, logins } = await withSessions();
  const { account } = createClient({ url, credential: { ...user, password: 'wrong' } });
  const outcomes = await Promise.allSettled([account.profile(), account.profile(), account.profile()]);
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual(
    Array(3).fill('invalid_credentials'),
  );
  expect(logins()).toHaveLength(1);
  await expect(account.profile()).rejects.toMatchObject({ code: 'invalid_credentials' });
  expect(logins()).toHaveLength(2);
});

test('one who gives up leaves the login to the others', async () => {
  const { url, logins } = await withSessions();
  const { account } = createClient({ url, credential: user });
  const abort = new AbortController();
  const given = account.profile({}, { signal: abort.signal });
  const kept = account.profile();
  abort.abort();
  await expect(given).rejects.toMatchObject({ name: 'AbortError' });
  await expect(kept).resolves.toEqual({ username: 'session-1' });
  expect(logins()).toHaveLength(1);
});

test('an API token and a session that were handed in are presented as they are, and never replaced', async () => {
  const { url, seen } = await withSessions();
  for (const credential of [{ token: 'a-token' }, { session: 'a-session' }])
    await expect(createClient({ url, credential }).account.profile()).rejects.toMatchObject({ status: 401 });
  await expect(createClient({ url }).account.profile()).rejects.toMatchObject({ status: 401 });
  expect(authorizations(seen)).toEqual(['Token a-token', 'Bearer a-session', undefined]);
});

test('a function is asked for a session once, and again when that has ended', async () => {
  const { url, seen, valid, logins } = await withSessions();
  let asked = 0;
  const session = async () => {
    valid.add(`own-${++asked}`);
    return `own-${asked}`;
  };
  const { account } = createClient({ url, credential: { session } });
  await Promise.all([account.profile(), account.profile()]);
  valid.delete('own-1');
  await account.profile();
  expect(authorizations(seen)).toEqual(['own-1', 'own-1', 'own-1', 'own-2'].map((one) => `Bearer ${one}`));
  expect(logins()).toEqual([]);
});

test('what anyone may ask for takes no login', async () => {
  const { url, seen } = await withSessions();
  const client = createClient({ url, credential: user });
  const asked = [
    client.system.jwks(),
    client.docs.openapi(),
    client.account.login({ ...user, password: 'x' }),
  ];
  await Promise.allSettled(asked);
  expect(authorizations(seen)).toEqual([undefined, undefined, undefined]);
});
