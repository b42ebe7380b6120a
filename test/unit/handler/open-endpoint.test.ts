import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { Contract } from '#lib/contract/contract';
import type { GatewayEvent } from '#lib/contract/gateway-event';
import { Failure } from '#lib/failure/failure';
import { openEndpoint } from '#lib/handler/open-endpoint';
import { call, invocation, OPEN } from '../support/endpoints.ts';
import { logLines } from '../support/log-lines.ts';

const lines = logLines();
const QUERIED = {
  ...OPEN,
  query: () => z.object({ q: z.optional(z.string().check(z.maxLength(3))) }),
} as const satisfies Contract;

afterEach(() => {
  vi.unstubAllEnvs();
});

test('an open endpoint reads the settings, and no variable of a resource', async () => {
  vi.stubEnv('TABLE_NAME', '').stubEnv('INSTANCE', '').stubEnv('Settings__OwnerName', 'Ada');
  const handler = openEndpoint(QUERIED, ({ query: { q } }, { OwnerName }) => ({ q, OwnerName }));
  const reply = await call(handler, { queryStringParameters: { q: 'a' } });
  expect(reply).toMatchObject({ status: 200, payload: { q: 'a', OwnerName: 'Ada' } });
  expect(Object.keys(reply.headers)).toEqual(['content-type', 'x-request-id']);
});

test('an open endpoint checks its settings when it is opened', () => {
  vi.stubEnv('Settings__Docs', 'perhaps');
  expect(() => openEndpoint(OPEN, () => '')).toThrow('Settings:Docs does not accept "perhaps"');
});

test('an open endpoint revalidates and compresses if its contract does', async () => {
  const handler = openEndpoint({ ...OPEN, revalidated: true, compress: true }, () => 'x'.repeat(2000));
  const headers = { 'accept-encoding': 'gzip' };
  const first = await call(handler, { headers });
  expect(first.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  const again = await call(handler, {
    headers: { ...headers, 'if-none-match': first.headers['etag'] ?? '' },
  });
  expect(again.status).toBe(304);
  expect(again.headers).not.toHaveProperty('content-encoding');
});

test('an open endpoint envelopes its failures, and logs each request', async () => {
  const handler = openEndpoint(QUERIED, () => {
    throw new Failure('docs_not_found');
  });
  expect(await call(handler)).toMatchObject({ status: 404, code: 'docs_not_found' });
  expect(await call(handler, { queryStringParameters: { q: 'long' } })).toMatchObject({ status: 400 });
  expect(await call(handler, { body: '{"a":1}' })).toMatchObject({ status: 400 });
  expect(lines.filter(({ level }) => level === 'info')).toHaveLength(3);
});

const REST = { version: '1.0', httpMethod: 'GET', path: '/', headers: {}, requestContext: { stage: 'prod' } };

test.each<[what: string, event: unknown]>([
  ['a test event of the console', { key1: 'value1', key2: 'value2', key3: 'value3' }],
  ['a warm-up', { source: 'serverless-plugin-warmup' }],
  ['a scheduled event', { version: '0', source: 'aws.events', detail: {} }],
  ['a REST API', { ...REST, version: undefined }],
  ['an HTTP API in payload format 1.0', REST],
  ['a load balancer', { httpMethod: 'GET', path: '/', requestContext: { elb: { targetGroupArn: 'arn' } } }],
  ['a version alone', { version: '2.0' }],
  ...[null, '', 'warm', 1, []].map((event): [string, unknown] => [JSON.stringify(event), event]),
])('a function answers a sentence to %s', async (_what, event) => {
  const handler = openEndpoint(OPEN, () => 'a');
  expect(await handler(event as GatewayEvent, invocation())).toEqual({
    statusCode: 400,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: expect.stringMatching(/^The function of \S+ answers requests of its HTTP API only, .*\.\n$/),
  });
  expect(lines).toEqual([]);
});
