import { describe, expect, test } from 'vitest';
import { openCors } from '#infra/local/gateway/cors';
import { toResponse } from '#infra/local/gateway/response';

const text = (response: { body: Uint8Array }) => Buffer.from(response.body).toString();

describe('the response of a function', () => {
  test('has its status, headers in lower case, cookies and body', () => {
    const response = toResponse({
      statusCode: 201,
      headers: { 'Content-Type': 'text/html', 'Retry-After': 5 },
      cookies: ['a=1; Path=/', 'b=2'],
      body: 'ä',
    });
    expect(response).toMatchObject({
      status: 201,
      headers: { 'content-type': 'text/html', 'retry-after': '5', 'set-cookie': ['a=1; Path=/', 'b=2'] },
    });
    expect(text(response)).toBe('ä');
  });

  test('is decoded where it is in base64', () => {
    expect(text(toResponse({ statusCode: 200, body: 'aGVsbG8=', isBase64Encoded: true }))).toBe('hello');
  });

  test('leaves the framing of the message to the gateway', () => {
    const headers = { 'Content-Length': '1', Connection: 'close', 'transfer-encoding': 'chunked' };
    expect(Object.keys(toResponse({ statusCode: 200, headers, body: '' }).headers)).toEqual(['content-type']);
  });

  test('without a status is the JSON of a success', () => {
    const response = toResponse({ hello: 'world' });
    expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    expect(text(response)).toBe('{"hello":"world"}');
  });

  test.each([
    ['a status that is no integer', { statusCode: '200', body: '' }],
    ['a status that is out of range', { statusCode: 99, body: '' }],
    ['an absent status', { statusCode: undefined, body: '' }],
    ['a body that is no string', { statusCode: 200, body: { a: 1 } }],
    ['cookies that are no list', { statusCode: 200, cookies: 'a=1', body: '' }],
    ['a header that breaks its line', { statusCode: 200, headers: { 'x-test': 'a\r\nb: c' }, body: '' }],
    ['a cookie that breaks its line', { statusCode: 200, cookies: ['a\nb'], body: '' }],
  ])('with %s is a failure of the function', (_, result) => {
    const response = toResponse(result);
    expect(response.status).toBe(500);
    expect(text(response)).toBe('{"message":"Internal Server Error"}');
  });
});

describe('cross-origin requests', () => {
  const origin = 'https://app.example.com';
  const preflight = { origin, 'access-control-request-method': 'POST' };
  const answer = { status: 200, headers: { 'access-control-allow-origin': '*' }, body: Buffer.alloc(0) };

  test('are nothing special without allowed origins', () => {
    const cors = openCors([]);
    expect(cors.preflight('OPTIONS', preflight)).toBeUndefined();
    expect(cors.apply(answer, preflight)).toBe(answer);
  });

  test('from an allowed origin are allowed, with credentials', () => {
    const cors = openCors([origin]);
    expect(cors.preflight('OPTIONS', preflight)).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' },
    });
    expect(cors.apply(answer, { origin }).headers).toMatchObject({ 'access-control-allow-origin': origin });
  });

  test('from another origin get no header, not even one of the function', () => {
    const cors = openCors([origin]);
    const other = { ...preflight, origin: 'https://evil.example.com' };
    expect(cors.preflight('OPTIONS', other)).toMatchObject({ status: 204, headers: {} });
    expect(cors.apply(answer, other).headers).toEqual({});
  });

  test('need both headers of a preflight to be one', () => {
    const cors = openCors([origin]);
    expect(cors.preflight('OPTIONS', { origin })).toBeUndefined();
    expect(cors.preflight('GET', preflight)).toBeUndefined();
  });
});
