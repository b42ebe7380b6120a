import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compression, prefersGzip } from '#lib/http/compression';
import { gatewayEvent } from '../support/gateway-event.ts';

test.each([
  'gzip',
  'GZIP',
  'deflate, gzip',
  'gzip, deflate, br',
  'gzip;q=0.5',
  'gzip ; q=0.001',
  '*',
  'br, *;q=0.1',
  'identity;q=0, gzip',
  '*;q=0, gzip',
])('%s prefers gzip', (header) => {
  expect(prefersGzip({ 'accept-encoding': header })).toBe(true);
});

test.each([
  undefined,
  '',
  'identity',
  'br',
  'gzip;q=0',
  'gzip;q=0.000',
  'gzip;q=0, *',
  '*;q=0',
  'deflate, *;q=0',
  'gzipped',
  'gzip;q=x',
  'gzip;q=0.5, identity',
])('%s does not', (header) => {
  expect(prefersGzip({ 'accept-encoding': header })).toBe(false);
});

describe('an answer', () => {
  /** An answer as it leaves, to a client that accepts gzip unless told. */
  async function leave(body: string, headers: Record<string, string> = { 'accept-encoding': 'gzip' }) {
    const response = { statusCode: 200, headers: { 'content-type': 'text/plain' }, body };
    const compress = compression().after as (request: object) => Promise<void>;
    await compress({ event: gatewayEvent({ headers }), response });
    return response as typeof response & { isBase64Encoded?: boolean };
  }
  const PLAIN = { 'content-type': 'text/plain', vary: 'Accept-Encoding' };

  test.each(['', 'x'.repeat(1024), 'ä'.repeat(512)])(
    'of at most 1,024 bytes stays as it is',
    async (body) => {
      expect(await leave(body)).toStrictEqual({ statusCode: 200, headers: PLAIN, body });
    },
  );

  test.each(['x'.repeat(1025), `${'ä'.repeat(512)}x`])('of 1,025 bytes is compressed', async (body) => {
    const { body: compressed, ...rest } = await leave(body);
    expect(rest).toStrictEqual({
      statusCode: 200,
      headers: { ...PLAIN, 'content-encoding': 'gzip' },
      isBase64Encoded: true,
    });
    expect(gunzipSync(Buffer.from(compressed, 'base64')).toString()).toBe(body);
  });

  test.each<Record<string, string>>([{}, { 'accept-encoding': 'br' }])(
    'stays as it is for a client that sends %j',
    async (headers) => {
      const body = 'x'.repeat(5000);
      expect(await leave(body, headers)).toStrictEqual({ statusCode: 200, headers: PLAIN, body });
    },
  );

  test('that is missing is none of its business', async () => {
    const compress = compression().after as (request: object) => Promise<void>;
    await expect(compress({ event: gatewayEvent(), response: null })).resolves.toBeUndefined();
  });
});
