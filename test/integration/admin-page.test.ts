import { expect, test } from 'vitest';
import { get } from './service.ts';

const PAGE = '/api/core/admin';

const { text, headers } = await get(PAGE);
const files = [...text.matchAll(/(?:src|href)="admin\/([^"]+)"/g)].map(([, name]) => `${PAGE}/${name}`);

test('the page may use only its own files and origin, and create no markup from text', () => {
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  );
  expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
    'text/html; charset=utf-8',
    'private, no-cache',
  ]);
});

test('the files that the page loads at once are cached forever by a name with a hash, and compressed below 75 kB', async () => {
  const sizes = await Promise.all(
    files.map(async (path) => {
      const file = await get(path, { headers: { 'accept-encoding': 'gzip' } });
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(file.headers.get('content-encoding')).toBe('gzip');
      return Number(file.headers.get('content-length'));
    }),
  );
  expect(sizes.length).toBeLessThanOrEqual(6);
  expect(Math.max(...sizes)).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(75_000);
  expect((await get(`${PAGE}/page-0.js`)).code).toBe('admin_page_not_found');
});

test.each([
  ['?language=de', 'de'],
  ['?language=en&fbclid=x', 'en'],
  ['?language=fr', 'en'],
  ['?utm_source=mail', 'en'],
])('the page opens with the query %s in %s', async (query, language) => {
  const page = await get(PAGE + query);
  expect([page.status, page.text.match(/<html lang="(\w+)"/)?.[1]]).toEqual([200, language]);
});

test('the page shows its login at once when the browser sends no session', async () => {
  const withCookie = await get(PAGE, { headers: { cookie: 'ptoken=x' } });
  expect([text, withCookie.text].map((html) => html.includes('data-session'))).toEqual([false, true]);
});
