import { expect, test, vi } from 'vitest';
import { createClient, type Identity } from '#lib/client/index';
import { shortestWaits } from '../support/shortest-waits.ts';
import { data, refused, type Scripted, scriptedService } from './scripted-service.ts';

const EXCHANGE = '/api/core/oauth/token';
const LIFETIME = 900;
const MACHINE = 'deploy+eu@orders-reconciler';

shortestWaits();

/**
 * A service that accepts each token of the platform once, for a session that is valid until it is removed from the set,
 * and a client of it. The first exchanges are answered by `first`.
 */
async function withTrust(first: readonly Scripted[] = [], identity: Partial<Identity> = {}) {
  const valid = new Set<string>();
  const spent = new Set<string>();
  const asked: string[] = [];
  const token = async () => `platform-${asked.push('')}`;
  const client = await scriptedService(
    ({ path, body, headers }) => {
      if (path === EXCHANGE) {
        const assertion = new URLSearchParams(body).get('assertion') ?? '';
        const isFresh = !spent.has(assertion);
        spent.add(assertion);
        const scripted = first[spent.size - 1];
        if (scripted) return scripted;
        if (!isFresh) return refusedExchange;
        const access_token = `session-${spent.size}`;
        valid.add(access_token);
        return { body: { access_token, token_type: 'Bearer', expires_in: LIFETIME, requestID: 'x' } };
      }
      const [, presented = ''] = headers.authorization?.split(' ') ?? [];
      return valid.has(presented) ? data({ username: presented }) : refused(401, 'unauthenticated');
    },
    { credential: { identity: { trust: MACHINE, token, ...identity } } },
  );
  const exchanges = () => client.seen.filter(({ path }) => path === EXCHANGE);
  return { ...client, valid, exchanges };
}

const refusedExchange = {
  status: 400,
  headers: { 'x-request-id': 'of-the-exchange' },
  body: { error: 'invalid_grant', error_description: 'No such trust accepts tokens.', requestID: 'y' },
};

/** Sets the clock of the client to a time after its first request. */
function clock() {
  const start = Date.UTC(2026, 10, 29);
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  return (seconds: number) => vi.setSystemTime(start + seconds * 1000);
}

test('a client exchanges a token of the platform once, for parallel and later requests', async () => {
  const { account, seen, exchanges } = await withTrust();
  await Promise.all([account.profile(), account.profile(), account.profile()]);
  await account.profile();
  const [exchange] = exchanges();
  expect(exchanges()).toHaveLength(1);
  expect(exchange).toMatchObject({ method: 'POST', path: EXCHANGE });
  expect(exchange?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
  expect(exchange?.headers).not.toHaveProperty('authorization');
  expect(Object.fromEntries(new URLSearchParams(exchange?.body))).toEqual({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    client_id: MACHINE,
    assertion: 'platform-1',
  });
  const presented = seen.filter(({ path }) => path !== EXCHANGE).map(({ headers }) => headers.authorization);
  expect(presented).toEqual(Array(4).fill('Bearer session-1'));
});

test('a client exchanges a new token shortly before its session ends, once for parallel requests', async () => {
  const after = clock();
  const { account, exchanges } = await withTrust();
  await account.profile();
  after(LIFETIME * 0.9 - 1);
  await expect(account.profile()).resolves.toEqual({ username: 'session-1' });
  after(LIFETIME * 0.9);
  const answers = await Promise.all([account.profile(), account.profile()]);
  expect(answers).toEqual(Array(2).fill({ username: 'session-2' }));
  after(LIFETIME * 0.9 + LIFETIME * 0.9 - 1);
  await expect(account.profile()).resolves.toEqual({ username: 'session-2' });
  expect(exchanges()).toHaveLength(2);
});

test('a client exchanges a new token when its session has ended early, once for parallel requests', async () => {
  const { account, valid, exchanges } = await withTrust();
  await account.profile();
  valid.clear();
  const answers = await Promise.all([account.profile(), account.profile(), account.profile()]);
  expect(answers).toEqual(Array(3).fill({ username: 'session-2' }));
  expect(exchanges()).toHaveLength(2);
});

test('a client throws when the next session is refused too, and exchanges no third token', async () => {
  const { account, valid, exchanges } = await withTrust();
  valid.add = () => valid;
  await expect(account.profile()).rejects.toMatchObject({ code: 'unauthenticated', status: 401 });
  expect(exchanges()).toHaveLength(2);
});

test.each<[string, Scripted]>([
  ['no answer', 'cut'],
  ['a 503', { status: 503, body: { error: 'temporarily_unavailable', requestID: 'x' } }],
  ['a 429', { status: 429, body: { message: 'Too Many Requests' } }],
])('a client exchanges another token after %s, since the first one may be spent', async (_what, reply) => {
  const { account, exchanges } = await withTrust([reply]);
  await expect(account.profile()).resolves.toEqual({ username: 'session-2' });
  const sent = exchanges().map(({ body }) => new URLSearchParams(body).get('assertion'));
  expect(sent).toEqual(['platform-1', 'platform-2']);
});

test('a client reports why an exchange is refused, and repeats it at the next request only', async () => {
  const { account, exchanges } = await withTrust([refusedExchange]);
  await expect(Promise.all([account.profile(), account.profile()])).rejects.toMatchObject({
    operation: 'oauth.token',
    code: 'invalid_grant',
    status: 400,
    requestId: 'of-the-exchange',
    message: 'oauth.token: invalid_grant. No such trust accepts tokens.',
  });
  expect(exchanges()).toHaveLength(1);
  await expect(account.profile()).resolves.toEqual({ username: 'session-2' });
});

test('a client throws the error of the platform as it is, and sends nothing', async () => {
  const fault = new Error('OutboundWebIdentityFederationDisabled');
  const token = vi.fn().mockRejectedValue(fault);
  const { account, seen } = await withTrust([], { token });
  await expect(account.profile()).rejects.toBe(fault);
  expect([token.mock.calls.length, seen.length]).toEqual([1, 0]);
});

test('an answer of a proxy with a member "error" is none of an exchange', async () => {
  for (const error of [{ code: 1 }, 'Bad Request', '']) {
    const { url } = await scriptedService(() => ({ status: 400, body: { error } }));
    await expect(createClient({ url }).system.uuid()).rejects.toMatchObject({ code: 'unexpected_answer' });
  }
});
