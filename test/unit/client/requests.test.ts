import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Client, CoreAccountError, createClient } from '#lib/client/index';
import { operationsModule } from '../../../infra/client/operations.ts';
import { all, data, refused, scriptedService } from './scripted-service.ts';

const ada = { username: 'ada' };
const PROFILE = '/account/profile';
const BROWSE =
  '/account/browse?limit=2&q=a+b%26c&never_used=false&inactive_since=1970-01-01T00%3A00%3A00.000Z';
const filter = { limit: 2, q: 'a b&c', never_used: false, role: undefined, inactive_since: new Date(0) };

test.each<
  [string, { send: (client: Client) => Promise<unknown>; method: string; path: string; body?: string }]
>([
  ['no optional parameter', { send: ({ account }) => account.profile(), method: 'GET', path: PROFILE }],
  [
    'an optional parameter',
    { send: ({ account }) => account.profile(ada), method: 'GET', path: `${PROFILE}/ada` },
  ],
  [
    'characters that a path reserves',
    {
      send: ({ account }) => account.profile({ username: 'b?c#d%2F+ü' }),
      method: 'GET',
      path: '/account/profile/b%3Fc%23d%252F%2B%C3%BC',
    },
  ],
  [
    'a query of several types',
    { send: ({ account }) => account.browse(filter).next(), method: 'GET', path: BROWSE },
  ],
  [
    'a list in the query',
    {
      send: ({ account }) => account.profile({ pscope: ['user', 'teams'] }),
      method: 'GET',
      path: `${PROFILE}?pscope=user%2Cteams`,
    },
  ],
  [
    'a path and a body',
    {
      send: ({ account }) => account.reactivate({ ...ada, revoke_tokens: true }),
      method: 'POST',
      path: '/account/reactivate/ada',
      body: '{"revoke_tokens":true}',
    },
  ],
  [
    'a path only',
    { send: ({ account }) => account.lock(ada), method: 'POST', path: '/account/lock/ada', body: '{}' },
  ],
  [
    'a list as its body',
    { send: ({ system }) => system.ping([1]), method: 'POST', path: '/system/ping', body: '[1]' },
  ],
  [
    'a form',
    {
      send: ({ oauth }) => oauth.revoke({ token: 'a b' }),
      method: 'POST',
      path: '/oauth/revoke',
      body: 'token=a+b',
    },
  ],
  ['no body', { send: ({ system }) => system.ping(), method: 'POST', path: '/system/ping', body: '{}' }],
])('a client sends a request with %s', async (_name, { send, method, path, body = '' }) => {
  const client = await scriptedService(() => data({ items: [] }));
  await send(createClient({ url: `${client.url}/` }));
  expect(client.seen).toMatchObject([{ method, path: `/api/core${path}`, body }]);
  expect(client.seen[0]?.headers).toMatchObject({
    accept: 'application/json',
    ...(body && {
      'content-type': expect.stringMatching(/^[[{]/.test(body) ? /json$/ : /^application.x-www-form/),
    }),
  });
});

test('a client sends the headers of a batch only with the option, in pages of a listing, too', async () => {
  const { account, seen } = await scriptedService(() => data({ items: [] }));
  const batch = { id: '00000000-0000-7000-8000-000000000001', size: 30 };
  await account.lock(ada, { batch });
  await all(account.browse({}, { batch }));
  await account.lock(ada, { batch: undefined });
  const headers = seen.map(({ headers: sent }) => [sent['x-batch'], sent['x-batch-size']]);
  expect(headers).toEqual([[batch.id, '30'], [batch.id, '30'], []].map(([id, size]) => [id, size]));
});

test('a client keeps the path of its base URL', async () => {
  const { url, seen } = await scriptedService(() => data({}));
  await createClient({ url: `${url}/behind/a/proxy//` }).system.uuid();
  expect(seen[0]?.path).toBe('/behind/a/proxy/api/core/system/uuid');
});

test.each([
  ['', 'Cannot be part of a path'],
  ['.', 'Cannot be part of a path'],
  ['..', 'Cannot be part of a path'],
  ['a\ud800', 'Cannot be part of a path'],
  ['a/b', 'Cannot be part of a path'],
  ['a\\b', 'Cannot be part of a path'],
  [undefined, 'Is required'],
])('a client sends nothing when the username %j would change the path', async (username, message) => {
  const { account, seen } = await scriptedService(() => data({}));
  const error = { code: 'invalid_request', status: 0, errors: [{ field: 'username', message }] };
  const text = `account.lock: invalid_request. username: ${message}.`;
  await expect(account.lock({ username } as typeof ada)).rejects.toMatchObject({ ...error, message: text });
  if (username !== undefined) await expect(account.profile({ username })).rejects.toMatchObject(error);
  expect(seen).toEqual([]);
});

test('an error names the operation, the faults and the request', async () => {
  const errors = [{ field: 'limit', message: 'Must be a whole number' }];
  const failure = { code: 'invalid_request', errors };
  const body = { success: false, message: 'The text.', requestID: 'of-the-body', data: failure };
  const headers = { 'x-request-id': 'of-the-header' };
  const { account } = await scriptedService(() => ({ status: 400, headers, body }));
  const page = account.browse().next();
  const error = await page.catch((thrown) => thrown);
  expect(error).toBeInstanceOf(CoreAccountError);
  expect(error).toMatchObject({
    name: 'CoreAccountError',
    message: 'account.browse: invalid_request. The text. limit: Must be a whole number.',
    operation: 'account.browse',
    ...{ code: 'invalid_request', status: 400, errors, requestId: 'of-the-header', retryAfter: undefined },
  });
});

test.each<[number, unknown, string, string?]>([
  [404, { message: 'Not Found' }, 'not_found', 'Not Found'],
  [500, { message: 'Internal Server Error' }, 'internal', 'The service gave no answer. Try again.'],
  [503, '', 'unavailable', 'The service gave no answer. Try again.'],
  [413, { message: 'Request Too Long' }, 'payload_too_large', 'Request Too Long'],
  [418, '<html>', 'unexpected_answer', 'HTTP 418.'],
  [400, 'null', 'unexpected_answer', 'HTTP 400.'],
  [503, refused(503, 'unavailable').body, 'unavailable', 'The text.'],
  [409, refused(409, 'of_a_newer_service').body, 'of_a_newer_service', 'The text.'],
])('a client reports the answer %i %j as %s', async (status, body, code, text) => {
  const headers = { 'retry-after': '1s', 'apigw-requestid': 'of-the-gateway' };
  const { system } = await scriptedService(() => ({ status, body, headers }));
  const message = `system.uuid: ${code}. ${text}`;
  const requestId = (body as { requestID?: string } | null)?.requestID ?? 'of-the-gateway';
  const error = { status, code, message, errors: [], requestId, retryAfter: undefined };
  await expect(system.uuid()).rejects.toMatchObject(error);
});

test('a client answers the data of an envelope, and any other payload as it is', async () => {
  const bodies = [{ data: 1 }, { success: false, data: 1 }, 'null'];
  const replies = [data({ uuid: 1 }), ...bodies.map((body) => ({ body }))];
  const { system } = await scriptedService((_, n) => replies[n] ?? 'cut');
  const answers: unknown[] = [];
  const onMessage = (message: string) => expect(message).toBe('');
  for (const _ of replies) answers.push(await system.jwks({}, { onMessage }));
  expect(answers).toEqual([{ uuid: 1 }, { data: 1 }, { success: false, data: 1 }, null]);
});

test('a client parses answers as its options say', async () => {
  const parse = (text: string) => JSON.parse(text.replace('1', '2'));
  const { system } = await scriptedService(() => ({ body: { n: 1 } }), { parse });
  expect(await system.jwks()).toEqual({ n: 2 });
});

test('a listing requests a page when its items are needed, and ends after the last', async () => {
  const { account, seen } = await scriptedService(({ path }) => {
    const cursor = new URL(path, 'http://x').searchParams.get('cursor');
    if (cursor === null) return data({ items: [1, 2], next_cursor: 'a' });
    return data(cursor === 'a' ? { items: [], next_cursor: 'b' } : { items: [3], stats: { count: 3 } });
  });
  const listing = account.browse({ q: 'x' });
  expect((await listing.next()).value).toBe(1);
  expect(seen).toHaveLength(1);
  expect(await all(listing)).toEqual([2, 3]);
  expect(seen.map(({ path }) => path.replace(/.*\?/, ''))).toEqual(['q=x', 'q=x&cursor=a', 'q=x&cursor=b']);
  const answered: unknown[] = [];
  const pages = await all(account.browse({}, { onHeaders: (headers) => answered.push(headers) }).pages());
  expect(pages.map(({ items }) => items.length)).toEqual([2, 0, 1]);
  expect(answered).toHaveLength(3);
});

test('a client passes on the headers and the message of an answer, and sends a precondition', async () => {
  const body = { success: true, message: 'The text.', data: {} };
  const { account, seen } = await scriptedService(() => ({ body, headers: { etag: '"1"' } }));
  const heard: (string | null)[] = [];
  const onHeaders = (headers: Headers) => heard.push(headers.get('etag'));
  await account.profile({}, { onHeaders, onMessage: (message) => heard.push(message) });
  expect(heard).toEqual(['"1"', 'The text.']);
  for (const ifMatch of ['"1"', '']) await account.profileUpdate({}, { ifMatch });
  expect(seen.map(({ headers }) => headers['if-match'])).toEqual([undefined, '"1"', '']);
});

test('lib/client/operations.ts has the operations of the contracts (npm run docs)', () => {
  expect(readFileSync('lib/client/operations.ts', 'utf8')).toBe(operationsModule());
});
