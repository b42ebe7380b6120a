import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { GatewayResult } from '#lib/contract/gateway-event';
import { compression, prefersGzip } from '#lib/http/compression';
import { requestContext, step } from '../support/request-context.ts';

test.each<[boolean, string | undefined]>([
  [true, 'GZIP'],
  [true, 'deflate, gzip;q=0.5'],
  [true, 'br, *;q=0.1'],
  [true, 'identity;q=0, gzip'],
  [false, undefined],
  [false, ''],
  [false, 'identity'],
  [false, 'br'],
  [false, 'gzip;q=0, *'],
  [false, 'gzip;q=0.5, identity'],
])('a client prefers gzip: %s, with %j', (prefers, header) => {
  expect(prefersGzip({ 'accept-encoding': header })).toBe(prefers);
});

const compress = (headers: Record<string, string>, response: GatewayResult | null) =>
  step(compression(), 'after', requestContext({ headers }), { response });
const GZIP = { 'accept-encoding': 'gzip' };
const PLAIN = { 'content-type': 'text/plain', vary: 'Accept-Encoding' };

async function leave(body: string, headers: Record<string, string>) {
  const response = { statusCode: 200, headers: { 'content-type': 'text/plain' }, body };
  await compress(headers, response);
  return response;
}

test.each<[string, string, Record<string, string>]>([
  ['it has 1,024 bytes', 'x'.repeat(1024), GZIP],
  ['it has 1,024 bytes of UTF-8', 'ä'.repeat(512), GZIP],
  ['the client names another encoding', 'x'.repeat(5000), { 'accept-encoding': 'br' }],
])('an answer is not compressed when %s', async (_title, body, headers) => {
  expect(await leave(body, headers)).toStrictEqual({ statusCode: 200, headers: PLAIN, body });
});

test('an answer is compressed when it has 1,025 bytes of UTF-8', async () => {
  const text = `${'ä'.repeat(512)}x`;
  const { body, ...rest } = await leave(text, GZIP);
  const headers = { ...PLAIN, 'content-encoding': 'gzip' };
  expect(rest).toStrictEqual({ statusCode: 200, headers, isBase64Encoded: true });
  expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe(text);
});

test('a request without an answer is ignored', async () => {
  await expect(compress({}, null)).resolves.toBeUndefined();
});
