import { describe, expect, test } from 'vitest';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { admin, baseUrl, get } from './service.ts';

const PAGE = '/api/core/docs';

const scriptOf = (html: string) => /<script src="([^"]+)">/.exec(html)?.[1] as string;

test.each(['/', '/api/core'])(
  '%s leads to the page, below whatever path a domain puts before it',
  async (path) => {
    const reply = await get(path);
    const location = reply.headers.get('location') as string;
    expect([reply.status, reply.text]).toEqual([302, '']);
    expect(new URL(location, baseUrl + path).pathname).toBe(PAGE);
    expect(new URL(location, `https://example.com/auth${path}`).pathname).toBe(`/auth${PAGE}`);
  },
);

test('the page may run its own script, ask its own origin, and stand in no frame', async () => {
  const { status, headers } = await get(PAGE);
  const policy = Object.fromEntries(
    (headers.get('content-security-policy') as string).split('; ').map((each) => {
      const [directive = '', ...sources] = each.split(' ');
      return [directive, sources.join(' ')];
    }),
  );
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(policy).toEqual({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'unsafe-inline'",
    'img-src': "'self' data:",
    'font-src': "'self' data:",
    'connect-src': "'self'",
    'frame-src': 'blob:',
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  });
});

test('a browser asks each time whether the page has changed', async () => {
  const first = await get(PAGE);
  expect(first.headers.get('cache-control')).toBe('no-cache');
  const etag = first.headers.get('etag') as string;
  const again = await get(PAGE, { headers: { 'if-none-match': etag } });
  expect([again.status, again.text]).toEqual([304, '']);
});

describe('its script', async () => {
  const path = new URL(scriptOf((await get(PAGE)).text), baseUrl + PAGE).pathname;

  test('is kept for good, under a name that changes with it', async () => {
    const { status, headers } = await get(path);
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await get(path.replace(/-\w+\.js$/, '-OTHER.js'))).code).toBe('docs_not_found');
  });

  test('comes compressed to who accepts it, and is the same otherwise', async () => {
    const compressed = await get(path, { headers: { 'accept-encoding': 'gzip' } });
    const plain = await get(path, { headers: { 'accept-encoding': 'identity' } });
    expect([compressed, plain].map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', null]);
    expect([compressed, plain].map(({ headers }) => headers.get('vary'))).toEqual([
      'Accept-Encoding',
      'Accept-Encoding',
    ]);
    expect(plain.text).toBe(compressed.text);
    // As base64, it is to fit the 6 MB that a function can answer.
    expect(Math.ceil(Buffer.byteLength(plain.text) / 3) * 4).toBeLessThan(6_000_000);
  });
});

test('neither a credential, good or bad, nor what links append makes a difference', async () => {
  expect((await get(PAGE, { headers: { authorization: 'Bearer x' } })).status).toBe(200);
  expect((await get(PAGE, admin)).status).toBe(200);
  expect((await get(`${PAGE}?utm_source=mail`)).status).toBe(200);
  expect((await get('/?utm_source=mail')).status).toBe(302);
});

test('an instance may keep all of it to itself', async () => {
  const { text } = await get(PAGE);
  const { ready } = await startInstance({
    data: await newFolder(),
    env: { Settings__Docs: 'false', Settings__BcryptCost: '10' },
  });
  for (const path of ['/', '/api/core', PAGE, `/api/core/${scriptOf(text)}`]) {
    const reply = await get(path, { base: ready.url });
    expect([path, reply.status, reply.code]).toEqual([path, 404, 'docs_not_found']);
  }
});
