import { expect, test, vi } from 'vitest';
import type { Client, ClientOptions, CoreAccountError } from '#lib/client/index';
import { methodName } from '#lib/client/method-name';
import { OPERATIONS } from '#lib/client/operations';
import { sleep } from '#lib/client/wait';
import { endLimits } from '../support/limits.ts';
import { shortestWaits } from '../support/shortest-waits.ts';
import { data, refused, type Scripted, scriptedService } from './scripted-service.ts';

const credential = { token: 'cst_of-the-test' };
const ada = { username: 'ada' };
const named = { token_name: 'ci', passkey_name: 'laptop', trust_name: 'deploy', ...ada };
const BUSY = refused(503, 'unavailable');
const TOO_MANY = refused(429, 'too_many_requests');
const SLOW_DOWN = { status: 429, body: { message: 'Slow down' } };
const DONE = data({ items: [] });

shortestWaits();

type Answer = Promise<unknown> | AsyncIterator<unknown>;
type Send = (client: Client) => Promise<unknown>;

/** Sends an operation with every parameter that a path can have. */
const sending =
  (id: string): Send =>
  (client) => {
    const [noun = ''] = id.split('.');
    const methods = client as unknown as Record<string, Record<string, (input: object) => Promise<object>>>;
    const copied = { source_username: 'a', target_username: 'b' };
    const input = { ...named, ...copied, app_name: 'core', session_id: 'c', short: 'd' };
    const answer = methods[noun]?.[methodName(id)]?.(input) as unknown as Answer;
    return 'next' in answer ? answer.next() : answer;
  };
const profile: Send = ({ account }) => account.profile();
const deletion: Send = ({ token }) => token.delete(named);

/** A request, the answers to its attempts, their number, and the code of the error, if any. */
interface Case {
  readonly send: Send;
  readonly replies: readonly Scripted[];
  readonly attempts: number;
  readonly code?: string;
}
test.each<[string, Case]>([
  ...Object.entries(OPERATIONS).map(([id, [, , repeats]]): [string, Case] => {
    const outcome = repeats === 'never' ? { attempts: 1, code: 'network_error' } : { attempts: 2 };
    return [`${id} after a cut`, { send: sending(id), replies: ['cut', DONE], ...outcome }];
  }),
  ['a deletion after a 503', { send: deletion, replies: [BUSY], attempts: 1, code: 'unavailable' }],
  ['a deletion after a 429', { send: deletion, replies: [TOO_MANY, DONE], attempts: 2 }],
  [
    'a profile after each 503',
    { send: profile, replies: [BUSY, BUSY, BUSY, DONE], attempts: 3, code: 'unavailable' },
  ],
  ['a profile after a 503 and a cut', { send: profile, replies: [BUSY, 'cut', DONE], attempts: 3 }],
  ['a profile after a cut within the body', { send: profile, replies: ['cut within', DONE], attempts: 2 }],
  [
    'a profile after a 502 of a proxy',
    { send: profile, replies: [{ status: 502, body: '<html>' }, DONE], attempts: 2 },
  ],
  [
    'a profile after a 504 of a proxy',
    { send: profile, replies: [{ status: 504, body: '<html>' }, DONE], attempts: 2 },
  ],
  [
    'a profile after a redirect',
    { send: profile, replies: [{ status: 302, headers: { location: '/elsewhere' } }, DONE], attempts: 2 },
  ],
  [
    'a profile after a 500',
    { send: profile, replies: [refused(500, 'internal')], attempts: 1, code: 'internal' },
  ],
  [
    'a profile after a page of a network',
    { send: profile, replies: [{ body: '<html>Sign in' }], attempts: 1, code: 'unexpected_answer' },
  ],
  ['a deletion after a 429 of the gateway', { send: deletion, replies: [SLOW_DOWN, DONE], attempts: 2 }],
  [
    'a deletion after a 409',
    { send: deletion, replies: [refused(409, 'account_cancelled')], attempts: 1, code: 'account_cancelled' },
  ],
])('a client sends %s as often as is safe', async (_name, { send, replies, attempts, code }) => {
  const client = await scriptedService((_seen, n) => replies[n] ?? DONE, { credential });
  const outcome = await send(client).then(
    () => undefined,
    (error: CoreAccountError) => error.code,
  );
  expect([outcome, client.seen.length]).toEqual([code, attempts]);
  const sent = client.seen.map(({ headers, ...rest }) => [rest, headers['idempotency-key']]);
  for (const one of sent) expect(one).toEqual(sent[0]);
});

test('a client gives each new token a key, the same in every attempt, and no other request', async () => {
  const script = (_: unknown, n: number) => (n % 2 === 0 ? 'cut' : DONE);
  const { account, token, seen } = await scriptedService(script, { credential });
  await token.create(named);
  await token.create(named);
  await token.create(named, { idempotencyKey: 'of-the-caller' });
  await account.lock(ada);
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  const [one, , two] = keys;
  expect(keys).toEqual([one, one, two, two, 'of-the-caller', 'of-the-caller', undefined, undefined]);
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(two).not.toBe(one);
});

const afterSeconds = (seconds: string) => refused(429, 'too_many_requests', { 'retry-after': seconds });

test.each(['300', '11'])('a client throws at once when Retry-After is %s seconds', async (seconds) => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const { account, seen } = await scriptedService(() => afterSeconds(seconds));
  const error = { name: 'CoreAccountError', code: 'too_many_requests', status: 429 };
  const login = account.login({ ...ada, password: 'p' });
  await expect(login).rejects.toMatchObject({ ...error, retryAfter: Number(seconds) });
  expect(seen).toHaveLength(1);
  expect(timeout, 'the longest wait for an answer by default').toHaveBeenCalledWith(35_000);
});

test.each<[Partial<ClientOptions>, number]>([
  [{ tries: 1 }, 1],
  [{ maxWaitMs: -1 }, 1],
  [{}, 3],
])('a client with the options %j makes %i attempts without an answer', async (options, attempts) => {
  endLimits();
  // On a busy machine, the service does not see all of them in time.
  const sending = vi.fn(fetch);
  const { system } = await scriptedService(() => 'hang', { timeoutMs: 50, fetch: sending, ...options });
  const error = { code: 'network_error', status: 0, message: 'system.jwks: network_error. No answer came.' };
  await expect(system.jwks()).rejects.toMatchObject({ ...error, cause: { name: 'TimeoutError' } });
  expect(sending).toHaveBeenCalledTimes(attempts);
});

test('a signal ends an attempt over HTTP with its reason, and a client then sends nothing', async () => {
  const abort = new AbortController();
  const reason = new Error('of the caller');
  const script = () => {
    setImmediate(() => abort.abort(reason));
    return 'hang' as const;
  };
  const { system, seen } = await scriptedService(script, { timeoutMs: 1e6 });
  const sent = system.jwks({}, { signal: abort.signal });
  await expect(sent).rejects.toBe(reason);
  await expect(system.jwks({}, { signal: abort.signal })).rejects.toBe(reason);
  expect(seen).toHaveLength(1);
});

test('a wait that a signal ends leaves no timer, which would keep the process alive', async () => {
  vi.useFakeTimers();
  await expect(sleep(9000, AbortSignal.abort(new Error('of the caller')))).rejects.toThrow('of the caller');
  const left = vi.getTimerCount();
  vi.useRealTimers();
  expect(left).toBe(0);
});
