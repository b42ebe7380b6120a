import { once } from 'node:events';
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { openCors } from '#infra/local/services/gateway/cors';
import { startGateway } from '#infra/local/services/gateway/gateway';
import { toResponse } from '#infra/local/services/gateway/response';
import { type Lambda, PayloadTooLarge } from '#infra/local/services/lambda/lambda';
import { CORS } from '#lib/contract/cors';

const read = (result: unknown) => {
  const { body, ...rest } = toResponse(result);
  return { ...rest, body: Buffer.from(body).toString() };
};

test('the response of a function has its status, headers in lower case, cookies and body', () => {
  const headers = { 'Content-Type': 'text/html', 'Retry-After': 5 };
  expect(read({ statusCode: 201, headers, cookies: ['a=1; Path=/', 'b=2'], body: 'ä' })).toEqual({
    status: 201,
    headers: { 'content-type': 'text/html', 'retry-after': '5', 'set-cookie': ['a=1; Path=/', 'b=2'] },
    body: 'ä',
  });
});

test('the response of a function is decoded from base64, and has no headers of the connection', () => {
  const headers = { 'Content-Length': '1', Connection: 'close', 'transfer-encoding': 'chunked' };
  const response = read({ statusCode: 200, headers, body: 'aGVsbG8=', isBase64Encoded: true });
  expect(response).toMatchObject({ headers: { 'content-type': expect.any(String) }, body: 'hello' });
  expect(Object.keys(response.headers)).toHaveLength(1);
});

test.each([
  'hello',
  { hello: 'world' },
  { statusCode: '200', body: '' },
  { statusCode: 99, body: '' },
  { statusCode: undefined, body: '' },
  { statusCode: 200, body: { a: 1 } },
  { statusCode: 200, cookies: 'a=1', body: '' },
  { statusCode: 200, headers: { 'x-test': 'a\r\nb: c' }, body: '' },
  { statusCode: 200, cookies: ['a\nb'], body: '' },
])('the response of a function is a failure for the malformed result %j', (result) => {
  expect(read(result)).toMatchObject({ status: 500, body: '{"message":"Internal Server Error"}' });
});

const origin = 'https://app.example.com';
const preflight = { origin, 'access-control-request-method': 'POST' };
const answer = { status: 200, headers: { 'access-control-allow-origin': '*' }, body: Buffer.alloc(0) };
const cors = openCors([origin]);

test('CORS of the gateway allows an allowed origin with credentials, and nothing without allowed origins', () => {
  const allowed = {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': CORS.exposedHeaders.join(),
  };
  expect(cors.preflight('OPTIONS', preflight)).toMatchObject({ status: 204, headers: allowed });
  expect(cors.apply(answer, { origin }).headers).toMatchObject(allowed);
  expect(openCors([]).preflight('OPTIONS', preflight)).toBeUndefined();
  expect(openCors([]).apply(answer, preflight)).toBe(answer);
});

test('CORS of the gateway removes all headers for another origin, and requires method and headers of a preflight', () => {
  const other = { ...preflight, origin: 'https://evil.example.com' };
  expect(cors.preflight('OPTIONS', other)).toMatchObject({ status: 204, headers: {} });
  expect(cors.apply(answer, other).headers).toEqual({});
  expect(cors.preflight('OPTIONS', { origin })).toBeUndefined();
  expect(cors.preflight('GET', preflight)).toBeUndefined();
});

test.each([
  ['413 when an event is too large', new PayloadTooLarge(), 413],
  ['500 when a function fails', new Error('failed'), 500],
])('the gateway answers %s', async (_what, error, status) => {
  const { serve, url, close } = await startGateway(0, []);
  onTestFinished(close);
  serve({ invoke: () => Promise.reject(error) } as unknown as Lambda);
  expect((await fetch(`${url}/api/core/system/ping`)).status).toBe(status);
});

test('the gateway answers 500 to a request that still waits for the functions when it closes', async () => {
  const { url, close } = await startGateway(0, []);
  const waiting = request(`${url}/api/core/account/login`, {
    method: 'POST',
    headers: { expect: '100-continue', 'content-length': 2 },
  });
  const answered = once(waiting, 'response');
  // The gateway has the request once it lets the body come.
  await once(waiting, 'continue');
  const closed = close();
  waiting.end('{}');
  const [{ statusCode }] = await answered;
  expect(statusCode).toBe(500);
  await closed;
});
