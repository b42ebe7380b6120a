import { getEventListeners } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Client, ClientOptions } from '#lib/client/index';
import { answer, type Step, scriptedFetch, TIMEOUT } from './scripted-fetch.ts';
import { all } from './scripted-service.ts';

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  return () => vi.restoreAllMocks();
});

const BUSY = answer(503);
const ENDED = answer(401);
const SESSION: Step = { data: { JWTtoken: 'session' } };
const FIRST: Step = { data: { items: [1, 2], next_cursor: 'a' } };
const LAST: Step = { data: { items: [3] } };
const byPassword = { credential: { username: 'ada', password: 'correct horse' } };
const named = { token_name: 'ci', username: 'ada' };
const [LOGIN, PROFILE, BROWSE, NEXT] = [
  '/account/login',
  '/account/profile',
  '/account/browse',
  '/account/browse?cursor=a',
];

type Send = (client: Client, signal?: AbortSignal) => Promise<unknown>;
const profile: Send = ({ account }, signal) => account.profile({}, { signal });
const browse: Send = ({ account }, signal) => all(account.browse({}, { signal }));
const deletion: Send = ({ token }, signal) => token.delete(named, { signal });
const creation: Send = ({ token }, signal) => token.create(named, { signal });

/** A moment, the request that is aborted at it, the steps until then, and the paths of all requests. */
type Moment = [string, Send, Step[], string[], Partial<ClientOptions>?];
const MOMENTS: Moment[] = [
  ['before an answer', profile, ['hang'], [PROFILE]],
  ['within a body', profile, ['hang within'], [PROFILE]],
  ['between two attempts', profile, [BUSY], [PROFILE]],
  ['in the second attempt', profile, [BUSY, 'hang'], [PROFILE, PROFILE]],
  ['in the last attempt', profile, [BUSY, BUSY, 'hang'], [PROFILE, PROFILE, PROFILE]],
  ['of an unsafe request', deletion, ['hang within'], ['/token/delete/ci/ada']],
  ['in the first login', profile, ['hang'], [LOGIN], byPassword],
  ['after a login', profile, [SESSION, 'hang'], [LOGIN, PROFILE], byPassword],
  ['in a later login', profile, [SESSION, ENDED, 'hang'], [LOGIN, PROFILE, LOGIN], byPassword],
  ['in the second page', browse, [FIRST, 'hang'], [BROWSE, NEXT]],
  ['between two attempts of a page', browse, [FIRST, BUSY], [BROWSE, NEXT]],
];

test.each(MOMENTS)('a client sends nothing after an abort %s', async (_, send, steps, paths, options) => {
  // The second one is that of `AbortSignal.timeout`.
  for (const reason of [new Error('of the caller'), TIMEOUT]) {
    const abort = new AbortController();
    const client = scriptedFetch(steps, options, () => abort.abort(reason));
    await expect(send(client, abort.signal)).rejects.toBe(reason);
    expect(client.paths()).toEqual(paths);
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  }
});

test.each<[string, Send, Partial<ClientOptions>?]>([
  ['a request', profile],
  ['a listing', browse],
  ['a login', profile, byPassword],
])('a client does not begin %s when its signal has aborted', async (_, send, options) => {
  const client = scriptedFetch([], options);
  await expect(send(client, AbortSignal.abort(TIMEOUT))).rejects.toBe(TIMEOUT);
  expect(client.sent).toEqual([]);
});

test('a client reads no further page when its signal aborts between two', async () => {
  const abort = new AbortController();
  const { account, paths } = scriptedFetch([FIRST, LAST]);
  const pages = account.browse({}, { signal: abort.signal }).pages();
  await pages.next();
  abort.abort(TIMEOUT);
  await expect(pages.next()).rejects.toBe(TIMEOUT);
  expect(await pages.next()).toEqual({ done: true, value: undefined });
  expect(paths()).toEqual([BROWSE]);
});

test('a client reads no further page when its caller leaves the loop', async () => {
  const { signal } = new AbortController();
  const { account, paths } = scriptedFetch([FIRST, FIRST, LAST]);
  const listing = account.browse({}, { signal });
  for await (const item of listing) if (item) break;
  expect(await all(listing)).toEqual([]);
  const pages = account.browse().pages();
  expect((await pages.next()).value).toMatchObject({ next_cursor: 'a' });
  await pages.return();
  expect(await all(pages)).toEqual([]);
  expect(paths()).toEqual([BROWSE, BROWSE]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a listing repeats a page alone, and has each item once', async () => {
  const { account, paths } = scriptedFetch([FIRST, BUSY, 'hang', LAST]);
  expect(await all(account.browse())).toEqual([1, 2, 3]);
  expect(paths()).toEqual([BROWSE, NEXT, NEXT, NEXT]);
});

test('a listing throws when a later page fails', async () => {
  const { account } = scriptedFetch([FIRST, answer(500)]);
  const items: unknown[] = [];
  const reading = async () => {
    for await (const item of account.browse()) items.push(item);
  };
  await expect(reading()).rejects.toMatchObject({ code: 'internal', operation: 'account.browse' });
  expect(items).toEqual([1, 2]);
});

const CUT = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });

test.each<[string, Step, unknown]>([
  ['the timeout of an attempt', 'hang', TIMEOUT],
  ['the timeout within a body', 'hang within', TIMEOUT],
  ['an error of the connection', CUT, CUT],
])('a client repeats only safe requests after %s, and reports it as the cause', async (_, step, cause) => {
  const error = { code: 'network_error', status: 0, cause };
  const unsafe = scriptedFetch([step]);
  await expect(deletion(unsafe)).rejects.toMatchObject({ ...error, operation: 'token.delete' });
  expect(unsafe.sent).toHaveLength(1);
  const safe = scriptedFetch([step, step, { data: { user: 'ada' } }]);
  expect(await profile(safe)).toEqual({ user: 'ada' });
  const failing = scriptedFetch([step, step, step]);
  await expect(profile(failing)).rejects.toMatchObject({ ...error, operation: 'account.profile' });
  expect(failing.sent).toHaveLength(3);
});

test('a client gives every attempt the whole timeout', async () => {
  const { account, timeouts } = scriptedFetch(['hang', BUSY, LAST], { timeoutMs: 70 });
  await account.profile();
  expect(timeouts).toHaveLength(3);
  expect(vi.mocked(AbortSignal.timeout).mock.calls).toEqual([[70], [70], [70]]);
});

test.each<[string, Step, number[], Partial<ClientOptions>?]>([
  ['longer each time', BUSY, [200, 400]],
  ['as long as maxWaitMs at most', BUSY, [200, 300], { maxWaitMs: 300 }],
  ['longer than Retry-After after a 429', answer(429, { 'retry-after': '2' }), [2200, 2400]],
  ['longer than Retry-After after a 503', answer(503, { 'retry-after': '2' }), [2200, 2400]],
  ['Retry-After if it is maxWaitMs', answer(429, { 'retry-after': '2' }), [2000, 2000], { maxWaitMs: 2000 }],
  ['up to ten seconds by default', answer(429, { 'retry-after': '10' }), [10_000, 10_000]],
  ['not when Retry-After exceeds maxWaitMs', answer(429, { 'retry-after': '2' }), [], { maxWaitMs: 1999 }],
  ['not when Retry-After exceeds ten seconds', answer(503, { 'retry-after': '11' }), []],
])('a client waits %s', async (_, step, waits, options) => {
  const client = scriptedFetch([step, step, step], options);
  await expect(profile(client)).rejects.toMatchObject({ name: 'CoreAccountError' });
  expect(client.waits).toEqual(waits);
  expect(client.sent).toHaveLength(waits.length + 1);
});

test('a client keeps the key of a request in all attempts, those of a new session included', async () => {
  const client = scriptedFetch([SESSION, 'hang', ENDED, SESSION, BUSY, CUT, { data: {} }], byPassword);
  await creation(client);
  await creation(client);
  const keysOf = (from: number) => client.sent.slice(from).flatMap(({ key }) => key ?? []);
  const [first, second] = [keysOf(0)[0], keysOf(7)[0]];
  expect(keysOf(0)).toEqual([first, first, first, first, first, second]);
  expect(second).not.toBe(first);
});

test.each<[string, Step[], Send]>([
  ['an answer', [LAST], browse],
  ['a failure', [BUSY, BUSY, BUSY], profile],
  ['an answer after a wait', [BUSY, LAST], profile],
])('a client leaves no timer and no listener after %s', async (_, steps, send) => {
  const { signal } = new AbortController();
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  const client = scriptedFetch(steps);
  await send(client, signal).catch(() => undefined);
  expect(cleared).toHaveBeenCalledTimes(client.waits.length);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
