import { expect, test } from 'vitest';
import { document } from '../openapi/checked.ts';
import { admin, baseUrl, get } from './service.ts';

const PAGE = '/api/core/docs';
const DOCUMENT = '/api/core/openapi.json';

const html = (await get(PAGE)).text;
const script = new URL(/<script src="([^"]+)">/.exec(html)?.[1] as string, baseUrl + PAGE).pathname;

test.each(['/', '/api/core'])('%s redirects to the page, below any path of a proxy', async (path) => {
  const reply = await get(path);
  const location = reply.headers.get('location') as string;
  expect([reply.status, reply.text]).toEqual([302, '']);
  expect(new URL(location, baseUrl + path).pathname).toBe(PAGE);
  expect(new URL(location, `https://example.com/auth${path}`).pathname).toBe(`/auth${PAGE}`);
});

test('the page may run its own script, query its own origin, and be shown in no frame', async () => {
  const { status, headers } = await get(PAGE);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('content-security-policy')?.split('; ').toSorted()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "font-src 'self' data:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    'frame-src blob:',
    "img-src 'self' data:",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
  ]);
});

test("the page greets without its script, and links to the administrator's page", () => {
  expect(html.match(/<h3>/g)).toHaveLength(4);
  expect(html).toContain('<a href="admin">');
});

test('the OpenAPI document is the one of the contracts, with the URL of the instance without a final slash', async () => {
  const servers = [{ url: baseUrl, description: 'This instance' }];
  expect(JSON.parse((await get(DOCUMENT)).text)).toEqual({ ...document, servers });
});

test.each([
  [PAGE, 'no-cache', 'text/html; charset=utf-8'],
  [DOCUMENT, 'public, max-age=300', 'application/json; charset=utf-8'],
])('%s is public, and revalidated by its entity tag', async (path, cacheControl, contentType) => {
  const first = await get(path, { headers: { authorization: 'Bearer x' } });
  expect(first.status).toBe(200);
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'cache-control': cacheControl,
    'content-type': contentType,
  });
  const etag = first.headers.get('etag') as string;
  const again = await get(path, { ...admin, headers: { 'if-none-match': etag } });
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  expect((await get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
});

test('the document is compressed when the client accepts it, the script always', async () => {
  const encodingsOf = (path: string) =>
    Promise.all(
      ['gzip', 'identity'].map(async (encoding) => {
        const { headers } = await get(path, { headers: { 'accept-encoding': encoding } });
        return headers.get('content-encoding');
      }),
    );
  expect(await encodingsOf(DOCUMENT)).toEqual(['gzip', null]);
  expect(await encodingsOf(script)).toEqual(['gzip', 'gzip']);
});

/** Of one request or connection; Node frames an answer without a length. */
const OWN_HEADERS = [
  'x-request-id',
  'apigw-requestid',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
];

test.each(['/', '/api/core', DOCUMENT, '/api/core/docs', script, '/api/core/admin', '/api/core/system/jwks'])(
  'HEAD of %s answers as GET, without a body',
  async (path) => {
    const [got, head] = await Promise.all(
      ['GET', 'HEAD'].map(async (method) => {
        // The OpenAPI document names GET only.
        const response = await fetch(baseUrl + path, { method, redirect: 'manual' });
        const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.includes(name));
        return { status: response.status, headers, bytes: (await response.bytes()).length };
      }),
    );
    expect(head).toEqual({ ...got, bytes: 0 });
  },
);

test('the script is cached forever, by a name that changes with it', async () => {
  const { headers } = await get(script);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect((await get(script.replace(/-\w+\.js$/, '-OTHER.js'))).code).toBe('docs_not_found');
});
