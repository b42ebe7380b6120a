import { describe, expect, test } from 'vitest';
import { type Client, type CoreAccountError, createClient } from '#lib/client/index';
import { data, refused, type Scripted, scriptedService } from './scripted-service.ts';

const token = 'cst_of-the-test';
const target = { username: 'ada' };
const named = { token_name: 'ci', ...target };
const BUSY = refused(503, 'unavailable');
const TOO_MANY = refused(429, 'too_many_requests');
const DONE = data({});

/** What is asked for, what comes of each try, how many are made, and the code of the error, if any. */
type Case = [string, (client: Client) => Promise<unknown>, Scripted[], number, string?];

const OPERATIONS: Record<string, (client: Client) => Promise<unknown>> = {
  'a profile': ({ account }) => account.profile(),
  'a page of a listing': ({ account }) => account.browse().next(),
  'the public keys': ({ system }) => system.jwks(),
  'a ping': ({ system }) => system.ping({}),
  'a preview': ({ system }) => system.preview({ painput: '' }),
  'a lock': ({ account }) => account.lock(target),
  'an unlock': ({ account }) => account.unlock(target),
  'a cancel': ({ account }) => account.cancel(target),
  'a reactivation': ({ account }) => account.reactivate(target),
  'a login': ({ account }) => account.login({ username: 'ada', password: '' }),
  'a token': (client) => client.token.create(named),
  'an update': ({ account }) => account.profileUpdate({ user_short: 'A' }),
  'a context': ({ account }) => account.context({ app_name: 'core' }),
  'a copy': ({ account }) => account.copy({ source_username: 'a', target_username: 'b' }),
  'a logout': ({ account }) => account.logout(),
  'a login token': (client) => client.token.createLoginToken(),
  'a deletion': (client) => client.token.delete(named),
};
const names = Object.keys(OPERATIONS);
const repeatable = names.slice(0, names.indexOf('an update'));
const others = names.slice(names.indexOf('an update'));
const ask = (name: string) => OPERATIONS[name] as Case[1];
const profile = ask('a profile');
const deletion = ask('a deletion');

test.each<Case>([
  ...repeatable.map((name): Case => [`${name}, whose answer was cut off`, ask(name), ['cut', DONE], 2]),
  ...others.map(
    (name): Case => [`${name}, whose answer was cut off`, ask(name), ['cut'], 1, 'network_error'],
  ),
  ...others.map((name): Case => [`${name}, answered 503`, ask(name), [BUSY], 1, 'unavailable']),
  ...names.map((name): Case => [`${name}, answered 429`, ask(name), [TOO_MANY, DONE], 2]),
  ['503, as often as there are tries', profile, [BUSY, BUSY, BUSY, DONE], 3, 'unavailable'],
  ['503, then a cut, then an answer', profile, [BUSY, 'cut', DONE], 3],
  ['a body that is cut off', profile, ['cut within', DONE], 2],
  ['a proxy’s 502', profile, [{ status: 502, body: '<html>' }, DONE], 2],
  ['the gateway’s own 429', deletion, [{ status: 429, body: { message: 'Too Many Requests' } }, DONE], 2],
  ['500', profile, [refused(500, 'internal')], 1, 'internal'],
  ['409', deletion, [refused(409, 'account_cancelled')], 1, 'account_cancelled'],
  ['what is no JSON', profile, [{ body: '<html>Sign in to this network' }], 1, 'unexpected_answer'],
  ['a redirect', profile, [{ status: 302, headers: { location: '/elsewhere' } }, DONE], 2],
])('%s', async (_, asked, replies, tries, code) => {
  const { url, seen } = await scriptedService((_seen, n) => replies[n] ?? DONE);
  const outcome = await asked(createClient({ url, credential: { token } })).then(
    () => undefined,
    (error: CoreAccountError) => error.code,
  );
  expect(outcome).toBe(code);
  expect(seen).toHaveLength(tries);
  expect(
    new Set(
      seen.map(({ method, path, body, headers }) => [method, path, body, headers['idempotency-key']].join()),
    ).size,
  ).toBe(1);
});

test('each token has a key of its own, the same in every try; a caller may give one', async () => {
  const { url, seen } = await scriptedService((_, n) => (n % 2 === 0 ? 'cut' : DONE));
  const client = createClient({ url, credential: { token } });
  await client.token.create(named);
  await client.token.create(named);
  await client.token.create(named, { idempotencyKey: 'of-the-caller' });
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([keys[0], keys[0], keys[2], keys[2], 'of-the-caller', 'of-the-caller']);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[2]).not.toBe(keys[0]);
});

describe('Retry-After', () => {
  const reply = (seconds: string) => refused(429, 'too_many_requests', { 'retry-after': seconds });

  test('is waited for', async () => {
    const { url, seen } = await scriptedService((_, n) => (n === 0 ? reply('1') : DONE));
    await createClient({ url }).system.jwks();
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThan(990);
  });

  test.each(['300', '11'])('of %s seconds is told, not waited for', async (seconds) => {
    const { url, seen } = await scriptedService(() => reply(seconds));
    const login = createClient({ url }).account.login({ username: 'ada', password: 'p' });
    await expect(login).rejects.toMatchObject({
      name: 'CoreAccountError',
      code: 'too_many_requests',
      status: 429,
      retryAfter: Number(seconds),
    });
    expect(seen).toHaveLength(1);
  });
});

test('the number of tries, the longest wait and the time of a try can be told', async () => {
  const { url, seen } = await scriptedService((_, n) => (n < 4 ? 'hang' : DONE));
  const ping = (options: object) => createClient({ url, timeoutMs: 50, ...options }).system.jwks();
  await expect(ping({ tries: 1 })).rejects.toMatchObject({ code: 'network_error', status: 0 });
  await expect(ping({ maxWaitMs: -1 })).rejects.toMatchObject({ code: 'network_error' });
  expect(seen).toHaveLength(2);
  await ping({});
  expect(seen).toHaveLength(5);
});

describe('a signal', () => {
  test.each<[string, Scripted]>([
    ['while an answer is waited for', 'hang'],
    ['between two tries', refused(503, 'unavailable', { 'retry-after': '9' })],
  ])(
    'ends a request %s, with its reason',
    async (_, reply) => {
      const { url, seen } = await scriptedService(() => reply);
      const abort = new AbortController();
      const asked = createClient({ url, timeoutMs: 1e6 }).system.jwks({}, { signal: abort.signal });
      const reason = new Error('of the caller');
      setTimeout(() => abort.abort(reason), 100);
      await expect(asked).rejects.toBe(reason);
      expect(seen).toHaveLength(1);
    },
    20_000,
  );

  test('that has been given sends nothing', async () => {
    const { url, seen } = await scriptedService(() => DONE);
    const asked = createClient({ url }).system.jwks({}, { signal: AbortSignal.abort() });
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual([]);
  });
});
