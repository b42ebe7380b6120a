import { expect, test } from 'vitest';
import type { GatewayResult } from '#lib/contract/gateway-event';
import { revalidation } from '#lib/http/revalidation';

/** What becomes of an answer. */
function answered(body: string, headers: Record<string, string> = {}): GatewayResult {
  const response: GatewayResult = { statusCode: 200, headers: { a: 'b' }, body };
  revalidation().after?.({ event: { headers }, response } as never);
  return response;
}

const { etag = '' } = answered('{"a":1}').headers;

test('an answer has an ETag of its own, the same each time', () => {
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
  expect(answered('{"a":1}')).toEqual({ statusCode: 200, headers: { a: 'b', etag }, body: '{"a":1}' });
  expect(answered('{"a":2}').headers['etag']).not.toBe(etag);
});

test.each([etag, etag.slice(2), `"x", ${etag}`, `${etag},"x"`, '*', ` ${etag} `])(
  'it is not sent again to who has it: %s',
  (header) => {
    expect(answered('{"a":1}', { 'if-none-match': header })).toEqual({
      statusCode: 304,
      headers: { a: 'b', etag },
      body: '',
    });
  },
);

test.each(['', '"x"', etag.slice(3, -1), etag.toUpperCase()])(
  'it is sent to who has another: %s',
  (header) => {
    expect(answered('{"a":1}', { 'if-none-match': header }).statusCode).toBe(200);
  },
);

test('what failed is left alone', () => {
  expect(revalidation()).not.toHaveProperty('onError');
});
