import { expect, test } from 'vitest';
import { type Client, CoreAccountError, createClient } from '#lib/client/index';
import { methodName, OPERATIONS } from '#lib/client/operations';
import { contracts } from '#lib/routes';
import { all, data, refused, scriptedService } from './scripted-service.ts';

test.each<[string, (client: Client) => Promise<unknown>, string, string, string?]>([
  ['an optional parameter that is absent', ({ account }) => account.profile(), 'GET', '/account/profile'],
  ['one that is there', ({ account }) => account.profile({ username: 'ada' }), 'GET', '/account/profile/ada'],
  [
    'characters that a path reserves',
    ({ account }) => account.profile({ username: 'a/b?c#d%2F+ü' }),
    'GET',
    '/account/profile/a%2Fb%3Fc%23d%252F%2B%C3%BC',
  ],
  [
    'a query of several kinds',
    ({ account }) =>
      account
        .browse({ limit: 2, q: 'a b&c', never_used: true, role: undefined, inactive_since: new Date(0) })
        .next(),
    'GET',
    '/account/browse?limit=2&q=a+b%26c&never_used=true&inactive_since=1970-01-01T00%3A00%3A00.000Z',
  ],
  [
    'a list in a query',
    ({ account }) => account.profile({ pscope: ['user', 'teams'] }),
    'GET',
    '/account/profile?pscope=user%2Cteams',
  ],
  [
    'a path and a body',
    ({ account }) => account.reactivate({ username: 'ada', revoke_tokens: true }),
    'POST',
    '/account/reactivate/ada',
    '{"revoke_tokens":true}',
  ],
  ['a path alone', ({ account }) => account.lock({ username: 'ada' }), 'POST', '/account/lock/ada', '{}'],
  ['a list as a body', ({ system }) => system.ping([1]), 'POST', '/system/ping', '[1]'],
  ['no body', ({ system }) => system.ping(), 'POST', '/system/ping', '{}'],
])('%s', async (_, ask, method, path, body = '') => {
  const { url, seen } = await scriptedService(() => data({ items: [] }));
  await ask(createClient({ url: `${url}/` }));
  expect(seen[0]).toMatchObject({ method, path: `/api/core${path}`, body });
});

test('the path of the base URL stays', async () => {
  const { url, seen } = await scriptedService(() => data({}));
  await createClient({ url: `${url}/behind/a/proxy/` }).system.uuid();
  expect(seen[0]?.path).toBe('/behind/a/proxy/api/core/system/uuid');
});

test.each(['', '.', '..'])('a username %j, which would change the path, is not sent', async (username) => {
  const { url, seen } = await scriptedService(() => data({}));
  const { account } = createClient({ url });
  await expect(account.profile({ username })).rejects.toMatchObject({
    code: 'invalid_request',
    status: 0,
    errors: [{ field: 'username', message: 'Cannot stand in a path' }],
  });
  const nobody = account.lock({} as { username: string });
  await expect(nobody).rejects.toMatchObject({ errors: [{ field: 'username', message: 'Is required' }] });
  expect(seen).toEqual([]);
});

test('an error says what was refused, and by which the request is found', async () => {
  const errors = [{ field: 'limit', message: 'Must be a whole number' }];
  const { url } = await scriptedService(() => ({
    status: 400,
    headers: { 'x-request-id': 'of-the-header' },
    body: {
      success: false,
      message: 'The text.',
      requestID: 'of-the-body',
      data: { code: 'invalid_request', errors },
    },
  }));
  const error = await createClient({ url })
    .account.browse()
    .next()
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(CoreAccountError);
  expect(error).toMatchObject({
    name: 'CoreAccountError',
    message: 'account.browse: invalid_request. The text. limit: Must be a whole number.',
    operation: 'account.browse',
    code: 'invalid_request',
    status: 400,
    errors,
    requestId: 'of-the-header',
    retryAfter: undefined,
  });
});

test.each([
  [404, { message: 'Not Found' }, 'not_found'],
  [500, { message: 'Internal Server Error' }, 'internal'],
  [413, { message: 'Request Too Long' }, 'payload_too_large'],
  [418, '<html>', 'unexpected_answer'],
  [400, 'null', 'unexpected_answer'],
  [409, refused(409, 'of_a_newer_service').body, 'of_a_newer_service'],
])('%s %j is %s', async (status, body, code) => {
  const { url } = await scriptedService(() => ({ status, body }));
  await expect(createClient({ url }).system.uuid()).rejects.toMatchObject({ status, code });
});

test('a listing asks for a page when its items are needed, and ends with the last', async () => {
  const { url, seen } = await scriptedService(({ path }) => {
    const cursor = new URL(path, 'http://x').searchParams.get('cursor');
    if (cursor === null) return data({ items: [1, 2], next_cursor: 'a' });
    return data(cursor === 'a' ? { items: [], next_cursor: 'b' } : { items: [3], stats: { count: 3 } });
  });
  const client = createClient({ url });
  const listing = client.account.browse({ q: 'x' });
  expect((await listing.next()).value).toBe(1);
  expect(seen).toHaveLength(1);
  expect(await all(listing)).toEqual([2, 3]);
  expect(seen.map(({ path }) => path.replace(/.*\?/, ''))).toEqual(['q=x', 'q=x&cursor=a', 'q=x&cursor=b']);
  const pages = await all(client.account.browse().pages());
  expect(pages.map(({ items }) => items.length)).toEqual([2, 0, 1]);
});

test('headers of an answer are handed out, and those of a precondition are sent', async () => {
  const { url, seen } = await scriptedService(() => ({ ...data({}), headers: { etag: '"1"' } }));
  const { account } = createClient({ url });
  let etag: string | null = null;
  await account.profile(
    {},
    {
      onHeaders: (headers) => {
        etag = headers.get('etag');
      },
    },
  );
  await account.profileUpdate({}, { ifMatch: etag ?? undefined });
  await account.profileUpdate({}, { ifMatch: '' });
  expect(seen.map(({ headers }) => headers['if-match'])).toEqual([undefined, '"1"', '']);
});

test('every contract has its method, and none is there beside them', () => {
  const api = contracts.filter(({ forPeople }) => !forPeople);
  expect(Object.keys(OPERATIONS).sort()).toEqual(api.map(({ id }) => id).sort());
  const client = createClient({ url: 'http://127.0.0.1:9' }) as unknown as Record<
    string,
    Record<string, unknown>
  >;
  for (const { id, method, path } of api) {
    const [asked, at] = OPERATIONS[id as keyof typeof OPERATIONS];
    expect([method].flat(), id).toContain(asked);
    expect(at, id).toBe(path);
    expect(client[id.split('.')[0] ?? '']?.[methodName(id)], id).toBeTypeOf('function');
  }
});
