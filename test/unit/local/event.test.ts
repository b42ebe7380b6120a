import { expect, test } from 'vitest';
import { toEvent, type WireRequest } from '#infra/local/services/gateway/payload';
import { type Match, openRouter } from '#infra/local/services/gateway/router';
import { routes } from '#lib/routes';

const route = openRouter(routes);

function eventOf(changes: Partial<WireRequest>) {
  const wire: WireRequest = {
    method: 'POST',
    target: '/api/core/system/ping',
    protocol: 'HTTP/1.1',
    headers: { host: ['127.0.0.1:3000'] },
    body: Buffer.alloc(0),
    sourceIp: '127.0.0.1',
    requestId: '0b1f6b7c-6c5e-4d0e-9d2c-0a6f7c1d2e3f',
    receivedAt: new Date('2026-11-20T05:30:00.123Z'),
    ...changes,
  };
  return toEvent(wire, route(wire.method, wire.target) as Match);
}

test('the event of a request has every key of payload format 2.0, except empty ones', () => {
  expect(eventOf({ headers: { host: ['localhost:3000'], 'user-agent': ['curl/8'] } })).toEqual({
    version: '2.0',
    routeKey: 'POST /api/core/system/ping',
    rawPath: '/api/core/system/ping',
    rawQueryString: '',
    headers: {
      host: 'localhost:3000',
      'user-agent': 'curl/8',
      'content-length': '0',
      'x-amzn-trace-id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-port': '3000',
      'x-forwarded-proto': 'http',
    },
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: 'localhost',
      domainPrefix: 'localhost',
      http: {
        method: 'POST',
        path: '/api/core/system/ping',
        protocol: 'HTTP/1.1',
        sourceIp: '127.0.0.1',
        userAgent: 'curl/8',
      },
      requestId: '0b1f6b7c-6c5e-4d0e-9d2c-0a6f7c1d2e3f',
      routeKey: 'POST /api/core/system/ping',
      stage: '$default',
      time: '20/Nov/2026:05:30:00 +0000',
      timeEpoch: 1795152600123,
    },
    isBase64Encoded: false,
  });
});

test('the event of a request joins repeated headers, adds the sender to the forwarded ones, and has cookies apart', () => {
  const { headers, cookies } = eventOf({
    headers: {
      ...{ authorization: ['Token a', 'Token b'], 'x-test': ['1', '2'] },
      ...{ cookie: ['a=1; b=2', 'c=x=y;'], 'x-forwarded-for': ['203.0.113.7'] },
    },
  });
  expect(headers).toMatchObject({ authorization: 'Token a,Token b', 'x-test': '1,2' });
  expect(headers['x-forwarded-for']).toBe('203.0.113.7, 127.0.0.1');
  expect(headers).not.toHaveProperty('cookie');
  expect(cookies).toEqual(['a=1', 'b=2', 'c=x=y']);
});

test('the event of a request decodes query parameters as a form and joins repeated ones, and keeps the raw query', () => {
  const event = eventOf({ target: '/api/core/system/ping?a=1+2&a=%2B&b=&%C3%A4=%25&__proto__=1' });
  expect(event.rawQueryString).toBe('a=1+2&a=%2B&b=&%C3%A4=%25&__proto__=1');
  const parameters = '{"a":"1 2,+","b":"","ä":"%","__proto__":"1"}';
  expect(JSON.stringify(event.queryStringParameters)).toBe(parameters);
});

test('the event of a request decodes the path and its parameters once', () => {
  const event = eventOf({ target: '/api/core/account/lock/a%2540b%C3%A9+c' });
  expect(event.rawPath).toBe('/api/core/account/lock/a%40bé+c');
  expect(event.pathParameters).toEqual({ username: 'a%40bé+c' });
});

const json = '{"ä":1}';
const base64 = Buffer.from(json).toString('base64');
test.each([
  ...['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'text/csv']
    .concat('application/xml', 'application/javascript')
    .map((type) => [type, json] as const),
  ...['application/x-www-form-urlencoded', 'application/problem+json', 'application/jsonp', undefined]
    .concat('multipart/form-data; boundary=text/plain')
    .map((type) => [type, base64] as const),
])('the event of a request has a body of type %s as %s', (type, body) => {
  const event = eventOf({ headers: type ? { 'content-type': [type] } : {}, body: Buffer.from(json) });
  expect(event).toMatchObject({ isBase64Encoded: body === base64, body });
});

test('the event of a request has text that is not UTF-8 in base64, and keeps a byte order mark', () => {
  const headers = { 'content-type': ['application/json'] };
  const malformed = eventOf({ headers, body: Buffer.from([0x22, 0xff, 0x22]) });
  expect(malformed).toMatchObject({ isBase64Encoded: true, body: 'Iv8i' });
  expect(eventOf({ headers, body: Buffer.from('\ufeff{}') }).body).toBe('\ufeff{}');
});
