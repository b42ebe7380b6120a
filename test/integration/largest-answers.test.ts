import { expect, test } from 'vitest';
import prices from '../../infra/cost/prices.json' with { type: 'json' };
import { get } from './service.ts';

/** The links of a page to its own files. */
const linksOf = async (page: string) => {
  const { text } = await get(page);
  return [...text.matchAll(/(?:src|href)="((?:admin|docs)\/[^"]+)"/g)].map(([, name]) => `/api/core/${name}`);
};

/** Everything that an endpoint answers to strangers. */
const PATHS: Readonly<Record<string, () => Promise<string[]>>> = {
  'docs.page': async () => ['/api/core/docs'],
  'docs.openapi': async () => ['/api/core/openapi.json'],
  'docs.script': () => linksOf('/api/core/docs'),
  'admin.page': async () => ['/api/core/admin', ...(await linksOf('/api/core/admin'))],
  'oauth.jwks': async () => ['/.well-known/jwks.json'],
  'system.jwks': async () => ['/api/core/system/jwks'],
};

const sizeOf = async (path: string) => {
  const { headers, text } = await get(path, { headers: { 'accept-encoding': 'identity' } });
  return Number(headers.get('content-length') ?? Buffer.byteLength(text));
};

test.each(Object.entries(PATHS))('the costs name the largest answer of %s', async (id, pathsOf) => {
  const sizes = await Promise.all((await pathsOf()).map(sizeOf));
  const kB = Math.max(...sizes) / 1000;
  const row = prices.worst.requests.find(({ endpoint }) => endpoint === id);
  // Rounded up. Changes of a document need no new figure each time.
  expect(kB).toBeLessThanOrEqual(row?.kB ?? 0);
  expect(kB).toBeGreaterThan((row?.kB ?? 0) * 0.75 - 1);
});
