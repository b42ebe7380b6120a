import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { Contract } from '#lib/contract/contract';
import { Failure } from '#lib/failure';
import { openEndpoint } from '#lib/handler/open-endpoint';
import { call } from '../support/endpoints.ts';
import { logLines } from '../support/log-lines.ts';

const lines = logLines();

const OPEN = {
  id: 'test.open',
  summary: '',
  method: 'GET',
  path: '/test/open',
  access: 'public',
  needs: [],
  query: () => z.object({ q: z.optional(z.string().check(z.maxLength(3))) }),
  response: () => z.unknown(),
} as const satisfies Contract;

afterEach(() => {
  vi.unstubAllEnvs();
});

test('it takes no variable of any resource, and the settings', async () => {
  vi.stubEnv('TABLE_NAME', '').stubEnv('INSTANCE', '').stubEnv('Settings__OwnerName', 'Ada');
  const handler = openEndpoint(OPEN, ({ query: { q } }, { OwnerName }) => ({ q, OwnerName }));
  const reply = await call(handler, { queryStringParameters: { q: 'a' } });
  expect(reply).toMatchObject({ status: 200, payload: { q: 'a', OwnerName: 'Ada' } });
  expect(reply.headers).not.toHaveProperty('etag');
});

test('its settings are checked when it is opened', () => {
  vi.stubEnv('Settings__Docs', 'perhaps');
  expect(() => openEndpoint(OPEN, () => '')).toThrow('Settings:Docs expects true or false, not "perhaps"');
});

test('its answers are revalidated and compressed where its contract says so', async () => {
  const handler = openEndpoint({ ...OPEN, revalidated: true, compress: true }, () => 'x'.repeat(2000));
  const first = await call(handler, { headers: { 'accept-encoding': 'gzip' } });
  expect(first.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  const { etag = '' } = first.headers;
  const again = await call(handler, { headers: { 'accept-encoding': 'gzip', 'if-none-match': etag } });
  expect(again.status).toBe(304);
  expect(again.headers).not.toHaveProperty('content-encoding');
});

test('what it refuses has the envelope, and each request its line in the log', async () => {
  const handler = openEndpoint(OPEN, () => {
    throw new Failure('docs_not_found');
  });
  expect(await call(handler)).toMatchObject({ status: 404, code: 'docs_not_found' });
  expect(await call(handler, { queryStringParameters: { q: 'long' } })).toMatchObject({ status: 400 });
  expect(lines.filter(({ level }) => level === 'info')).toHaveLength(2);
});
