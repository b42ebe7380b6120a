import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import type { Credential } from '#lib/client/index';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { shortestWaits } from '../support/shortest-waits.ts';
import { data, type Scripted, type Seen, scriptedService } from './scripted-service.ts';

const [LOGIN, TOKEN] = ['/api/core/account/login', '/api/core/oauth/token'];
const ORDERS = 'https://orders.example.com';
const STOCK = 'urn:acme:stock';
const LIFETIME = 300;
const user = { username: 'ada', password: 'correct horse' };

shortestWaits();

const formOf = ({ body }: Seen) => Object.fromEntries(new URLSearchParams(body));
const oauthError = (status: number, error: string): Scripted => ({
  status,
  headers: { 'x-request-id': 'of-the-exchange' },
  body: { error, error_description: 'The text.', requestID: 'x' },
});

/**
 * A service that numbers what it issues, and a client of it. Sessions are valid until they are removed from the set, API
 * tokens always. The first exchanges for another service are answered by `first`.
 */
async function withResources(credential?: Credential, first: readonly Scripted[] = []) {
  const valid = new Set(['session-given', 'api-token']);
  const counts = { session: 0, token: 0 };
  const open = () => {
    const session = `session-${++counts.session}`;
    valid.add(session);
    return session;
  };
  const issued = (access_token: string): Scripted => ({
    body: { access_token, token_type: 'Bearer', expires_in: LIFETIME, requestID: 'x' },
  });
  const client = await scriptedService(
    (seen) => {
      if (seen.path === LOGIN) return data({ JWTtoken: open() });
      if (seen.path !== TOKEN) return data({});
      const { grant_type, subject_token = '', resource } = formOf(seen);
      if (grant_type === GRANT_TYPES.assertion) return issued(open());
      const scripted = first[counts.token++];
      if (scripted) return scripted;
      return valid.has(subject_token)
        ? issued(`${resource} ${subject_token} ${counts.token}`)
        : oauthError(400, 'invalid_request');
    },
    { credential },
  );
  const exchanges = () => client.seen.filter(({ body }) => body.includes('resource='));
  return { ...client, valid, exchanges, others: () => client.seen.length - exchanges().length };
}

/** Sets the clock of the client to a time after its first request. */
function clock() {
  const start = Date.UTC(2026, 10, 29);
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  return (seconds: number) => vi.setSystemTime(start + seconds * 1000);
}

test.each<[string, Credential, string, others: number]>([
  ['an API token', { token: 'api-token' }, 'api-token', 0],
  ['a session', { session: 'session-given' }, 'session-given', 0],
  ['the session of a function', { session: () => 'session-given' }, 'session-given', 0],
  ['the session of a login', user, 'session-1', 1],
  ['the session of an identity', { identity: { trust: 'ci@shop', token: () => 'platform' } }, 'session-1', 1],
])('a client exchanges %s for a token of another service', async (_, credential, subject, others) => {
  const client = await withResources(credential);
  expect(await client.tokenFor(ORDERS)).toBe(`${ORDERS} ${subject} 1`);
  const [exchange] = client.exchanges();
  expect(exchange).toMatchObject({ method: 'POST', path: TOKEN });
  expect(exchange?.headers).not.toHaveProperty('authorization');
  expect(formOf(exchange as Seen)).toEqual({
    grant_type: GRANT_TYPES.exchange,
    subject_token: subject,
    subject_token_type: TOKEN_TYPES.access,
    resource: ORDERS,
  });
  expect([client.exchanges().length, client.others()]).toEqual([1, others]);
});

test('a client gets tokens of five services for one token of its platform, which its own requests share', async () => {
  const token = vi.fn(() => 'platform');
  const client = await withResources({ identity: { trust: 'ci@shop', token } });
  const audiences = [ORDERS, STOCK, 'urn:3', 'urn:4', 'urn:5'];
  const tokens = await Promise.all(audiences.map((audience) => client.tokenFor(audience)));
  await client.account.profile();
  expect(tokens.map((text) => text.split(' ')[0])).toEqual(audiences);
  expect([token.mock.calls.length, client.exchanges().length]).toEqual([1, 5]);
});

test('a client shares an exchange between parallel calls of a service, and keeps its token', async () => {
  const { tokenFor, exchanges } = await withResources({ token: 'api-token' });
  const tokens = await Promise.all([tokenFor(ORDERS), tokenFor(ORDERS), tokenFor(STOCK)]);
  expect(tokens[1]).toBe(tokens[0]);
  expect(tokens[2]).toContain(STOCK);
  expect([await tokenFor(ORDERS), await tokenFor(STOCK)]).toEqual(tokens.slice(1));
  expect(exchanges()).toHaveLength(2);
});

test('a client exchanges again from a minute before the end of a token, once for parallel calls', async () => {
  const after = clock();
  const { tokenFor, exchanges } = await withResources({ token: 'api-token' });
  const first = await tokenFor(ORDERS);
  after(LIFETIME - 60 - 0.001);
  expect(await tokenFor(ORDERS)).toBe(first);
  after(LIFETIME - 60);
  const [second, third] = await Promise.all([tokenFor(ORDERS), tokenFor(ORDERS)]);
  expect([second, third]).toEqual(Array(2).fill(`${ORDERS} api-token 2`));
  expect(exchanges()).toHaveLength(2);
});

test('a client does not keep a token of a session that ends within a minute', async () => {
  const short: Scripted = { body: { access_token: 'short', expires_in: 60 } };
  const { tokenFor } = await withResources({ session: 'session-given' }, [short]);
  expect(await tokenFor(ORDERS)).toBe('short');
  expect(await tokenFor(ORDERS)).toBe(`${ORDERS} session-given 2`);
});

test('a client logs in once after the end of its session, and exchanges the next one', async () => {
  const { tokenFor, valid, exchanges, others } = await withResources(user);
  await tokenFor(ORDERS);
  valid.clear();
  expect(await tokenFor(ORDERS), 'nothing ends it').toBe(`${ORDERS} session-1 1`);
  expect(await tokenFor(STOCK)).toBe(`${STOCK} session-2 3`);
  expect(await tokenFor(STOCK)).toBe(`${STOCK} session-2 3`);
  expect([exchanges().length, others()]).toEqual([3, 2]);
});

test('a client answers no token of a former session', async () => {
  const sessions = ['session-given', 'api-token'];
  const client = await withResources({ session: () => sessions.shift() ?? '' });
  await client.tokenFor(ORDERS);
  client.valid.delete('session-given');
  await client.tokenFor(STOCK);
  expect(await client.tokenFor(ORDERS)).toContain('api-token');
});

test('a client throws when the next session is refused too, and does not log in a third time', async () => {
  const { tokenFor, valid, others } = await withResources(user);
  valid.add = () => valid;
  const error = { operation: 'oauth.token', code: 'invalid_request', status: 400 };
  await expect(tokenFor(ORDERS)).rejects.toMatchObject(error);
  expect(others()).toBe(2);
});

test.each<[string, Credential]>([
  ['a given session', { session: 'ended' }],
  ['a given API token', { token: 'deleted' }],
])('a client exchanges %s only once when it is refused', async (_, credential) => {
  const { tokenFor, exchanges } = await withResources(credential);
  await expect(tokenFor(ORDERS)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(exchanges()).toHaveLength(1);
});

test('a client reports an unknown service to all parallel calls, and asks again at the next one', async () => {
  const { tokenFor, exchanges } = await withResources(user, [oauthError(400, 'invalid_target')]);
  const outcomes = await Promise.allSettled([tokenFor(ORDERS), tokenFor(ORDERS)]);
  const error = {
    name: 'CoreAccountError',
    operation: 'oauth.token',
    code: 'invalid_target',
    status: 400,
    requestId: 'of-the-exchange',
    message: 'oauth.token: invalid_target. The text.',
  };
  expect(outcomes).toMatchObject(Array(2).fill({ status: 'rejected', reason: error }));
  expect(exchanges()).toHaveLength(1);
  await expect(tokenFor(ORDERS)).resolves.toContain(ORDERS);
});

test.each<[string, Scripted]>([
  ['no answer', 'cut'],
  ['a 503', oauthError(503, 'temporarily_unavailable')],
  ['a 429', { status: 429, body: { message: 'Too Many Requests' } }],
])('a client repeats an exchange after %s', async (_, reply) => {
  const { tokenFor } = await withResources({ token: 'api-token' }, [reply]);
  expect(await tokenFor(ORDERS)).toBe(`${ORDERS} api-token 2`);
});

test('a client without a credential throws what to do, and sends nothing', async () => {
  const { tokenFor, seen } = await withResources();
  await expect(tokenFor(ORDERS)).rejects.toThrow(/^tokenFor needs a credential: cookies are never/);
  await expect(tokenFor(ORDERS)).rejects.toBeInstanceOf(TypeError);
  expect(seen).toEqual([]);
});

test('a client asks for no token without an audience, which would be a session', async () => {
  const { tokenFor, seen } = await withResources({ token: 'api-token' });
  for (const audience of ['', undefined as unknown as string])
    await expect(tokenFor(audience)).rejects.toMatchObject({
      operation: 'oauth.token',
      code: 'invalid_request',
      errors: [{ field: 'audience', message: 'Is required' }],
    });
  expect(seen).toEqual([]);
});

test('a call that gives up leaves the exchange to the others', async () => {
  const { tokenFor, exchanges } = await withResources(user);
  const abort = new AbortController();
  const aborted = tokenFor(ORDERS, { signal: abort.signal });
  const { signal } = new AbortController();
  const kept = tokenFor(ORDERS, { signal });
  abort.abort();
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  await expect(kept).resolves.toContain(ORDERS);
  expect(exchanges()).toHaveLength(1);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a client does not begin an exchange when the signal has aborted', async () => {
  const { tokenFor, exchanges } = await withResources(user);
  const reason = new Error('of the caller');
  await expect(tokenFor(ORDERS, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  await tokenFor(STOCK);
  expect(exchanges().map((seen) => formOf(seen)['resource'])).toEqual([STOCK]);
});
