import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compression, prefersGzip } from '#lib/http/compression';
import { gatewayEvent } from '../support/gateway-event.ts';

test.each([
  'gzip',
  'GZIP',
  'deflate, gzip',
  'gzip;q=0.5',
  'gzip ; q=0.001',
  '*',
  'br, *;q=0.1',
  'identity;q=0, gzip',
  '*;q=0, gzip',
])('a client prefers gzip with %j', (header) => {
  expect(prefersGzip({ 'accept-encoding': header })).toBe(true);
});

test.each([
  undefined,
  '',
  'identity',
  'br',
  'gzip;q=0.000',
  'gzip;q=0, *',
  '*;q=0',
  'deflate, *;q=0',
  'gzipped',
  'gzip;q=x',
  'gzip;q=0.5, identity',
])('a client does not prefer gzip with %j', (header) => {
  expect(prefersGzip({ 'accept-encoding': header })).toBe(false);
});

const compress = compression().after as (request: object) => Promise<void>;
const GZIP = { 'accept-encoding': 'gzip' };
const PLAIN = { 'content-type': 'text/plain', vary: 'Accept-Encoding' };

async function leave(body: string, headers: Record<string, string>) {
  const response = { statusCode: 200, headers: { 'content-type': 'text/plain' }, body };
  await compress({ event: gatewayEvent({ headers }), response });
  return response;
}

test.each<[string, string, Record<string, string>]>([
  ['it is empty', '', GZIP],
  ['it has 1,024 bytes', 'x'.repeat(1024), GZIP],
  ['it has 1,024 bytes of UTF-8', 'ä'.repeat(512), GZIP],
  ['the client names no encoding', 'x'.repeat(5000), {}],
  ['the client names another encoding', 'x'.repeat(5000), { 'accept-encoding': 'br' }],
])('an answer is not compressed when %s', async (_title, body, headers) => {
  expect(await leave(body, headers)).toStrictEqual({ statusCode: 200, headers: PLAIN, body });
});

test.each(['x'.repeat(1025), `${'ä'.repeat(512)}x`])(
  'an answer of 1,025 bytes is compressed',
  async (text) => {
    const { body, ...rest } = await leave(text, GZIP);
    const headers = { ...PLAIN, 'content-encoding': 'gzip' };
    expect(rest).toStrictEqual({ statusCode: 200, headers, isBase64Encoded: true });
    expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe(text);
  },
);

test('a request without an answer is ignored', async () => {
  await expect(compress({ event: gatewayEvent(), response: null })).resolves.toBeUndefined();
});
