import { expect, test, vi } from 'vitest';
import type { Contract } from '#lib/contract/contract';
import type { GatewayResult } from '#lib/contract/gateway-event';
import { endpoint } from '#lib/handler/endpoint';
import { openEndpoint } from '#lib/handler/open-endpoint';
import { revalidation } from '#lib/http/caching';
import { call, OPEN, openEndpoints } from '../support/endpoints.ts';
import { requestContext, step } from '../support/request-context.ts';

function answered(body: string, known?: string, statusCode = 200): GatewayResult {
  const response: GatewayResult = { statusCode, headers: { a: 'b' }, body };
  const headers: Record<string, string> = known === undefined ? {} : { 'if-none-match': known };
  step(revalidation(), 'after', requestContext({ headers }), { response });
  return response;
}
const BODY = '{"a":1}';
const { etag = '' } = answered(BODY).headers;

test('an answer has the ETag of its body', () => {
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
  expect(answered(BODY)).toEqual({ statusCode: 200, headers: { a: 'b', etag }, body: BODY });
  expect(answered('{"a":2}').headers['etag']).not.toBe(etag);
});

test.each([etag, etag.slice(2), `"x", ${etag}`, `"x",${etag},"y"`, ' * ', ` ${etag} `])(
  'an answer has no body when the client has it: %s',
  (known) => {
    expect(answered(BODY, known)).toEqual({ statusCode: 304, headers: { a: 'b', etag }, body: '' });
  },
);

test.each(['', '"x"', etag.slice(3, -1), etag.toUpperCase(), `x${etag.slice(2)}`, '"*"'])(
  'an answer has its body when the client has another: %s',
  (known) => {
    expect(answered(BODY, known).statusCode).toBe(200);
  },
);

test('an answer with another status is not changed, nor is a failure', () => {
  expect(answered('', '*', 304)).toEqual({ statusCode: 304, headers: { a: 'b' }, body: '' });
  expect(revalidation()).not.toHaveProperty('onError');
});

await openEndpoints();
const OWN = { ...OPEN, access: 'authenticated' } as const satisfies Contract;
const open = (part: object) => openEndpoint({ ...OPEN, ...part } as typeof OPEN, () => 'x');
const own = (part: object) => endpoint({ ...OWN, ...part } as typeof OWN, () => 'x');

test.each([
  ['public', '', { open, part: {}, method: 'GET', vary: undefined }],
  ['public', 'https://app.example', { open, part: {}, method: 'GET', vary: 'Origin' }],
  [
    'compressing',
    'https://app.example',
    { open, part: { compress: true }, method: 'GET', vary: 'Accept-Encoding, Origin' },
  ],
  ['safe', '', { open: own, part: {}, method: 'GET', vary: undefined }],
  ['unsafe', '', { open: own, part: { unsafe: true }, method: 'GET', vary: 'Origin' }],
  ['changing', '', { open: own, part: {}, method: 'POST', vary: 'Origin' }],
])(
  'a %s endpoint with the allowed origins "%s" varies by Origin when its answers do',
  async (_, origins, { open, part, method, vary }) => {
    vi.stubEnv('Settings__CorsAllowedOrigins', origins);
    expect((await call(open(part), { method })).headers['vary']).toBe(vary);
  },
);
