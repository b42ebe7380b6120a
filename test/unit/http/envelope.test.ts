import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { Answer } from '#lib/contract/answer';
import type { Contract } from '#lib/contract/contract';
import { FAILURES, type FailureCode } from '#lib/failure/codes';
import { Failure, invalid } from '#lib/failure/failure';
import { endpoint } from '#lib/handler/endpoint';
import { rendered } from '#lib/http/envelope';
import { call, OPEN } from '../support/endpoints.ts';
import { failureOf } from '../support/failure-of.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { logLines } from '../support/log-lines.ts';

vi.stubEnv('TABLE_NAME', 'table').stubEnv('INSTANCE', 'test');
const lines = logLines();
const errors = () => lines.filter(({ level }) => level === 'error');

const TITLED = { ...OPEN, title: 'Done' } satisfies Contract;
const EXECUTED_AT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const TYPE = { 'content-type': 'application/json; charset=utf-8' };
const ID = { 'x-request-id': 'request-1' };
/** By which clients of OAuth find the token endpoint. */
const METADATA = ', resource_metadata="http://localhost/.well-known/oauth-protected-resource"';
const NO_STORE = { 'cache-control': 'no-store' };

/** The answer of an endpoint without needs. */
const ask = (rule: () => unknown, contract: Contract, event?: Parameters<typeof call>[1]) =>
  call(endpoint(contract as typeof OPEN, rule), event);
const answer = (data: unknown, contract: Contract = TITLED) => ask(() => data, contract);
const refuse = (error: unknown, event?: Parameters<typeof call>[1], contract: Contract = TITLED) => {
  const rule = () => {
    throw error;
  };
  return ask(rule, contract, event);
};
const failed = (message: string, data: object) => ({
  success: false,
  message,
  requestID: 'request-1',
  executed_at: EXECUTED_AT,
  data,
});

/** No header replaces the request ID. */
const [GIVEN, OWN] = [
  { a: 'b', 'x-request-id': 'x' },
  { a: 'c', 'x-request-id': 'y' },
];
const PLAIN = { 'content-type': 'application/json' };
test('an answer is enveloped when its endpoint has a title, and not stored', async () => {
  const reply = await answer({ a: 1 });
  expect(reply).toMatchObject({ status: 200, cookies: undefined });
  expect(reply.headers).toStrictEqual({ ...TYPE, ...NO_STORE, ...ID });
  expect(Object.entries(reply.payload as object)).toEqual([
    ['success', true],
    ['message', 'Done'],
    ['requestID', 'request-1'],
    ['executed_at', EXECUTED_AT],
    ['data', { a: 1 }],
  ]);
});

test('an answer has its headers and no body when its status is not 200', () => {
  const redirect = new Answer({ a: 1 }, { status: 302, headers: { location: '/a' } });
  const headers = { ...NO_STORE, location: '/a', 'x-request-id': expect.any(String) };
  expect(rendered(TITLED, redirect, gatewayEvent())).toStrictEqual({ statusCode: 302, headers, body: '' });
});

test('an answer is base64 when it is compressed already', () => {
  const gzipped = Buffer.from('gzip');
  const body = gzipped.toString('base64');
  expect(rendered(OPEN, new Answer('', { gzipped }), gatewayEvent())).toMatchObject({
    headers: { 'content-encoding': 'gzip' },
    body,
    isBase64Encoded: true,
  });
});

test.each<[string, { data: unknown; contract: Partial<Contract>; headers: object; payload: unknown }]>([
  [
    'is enveloped when the title is empty, and may be stored if its headers permit it',
    {
      data: new Answer({ a: 1 }, { headers: { 'cache-control': 'public' } }),
      contract: { title: '' },
      headers: { ...TYPE, 'cache-control': 'public' },
      payload: expect.objectContaining({ success: true, message: '', data: { a: 1 } }),
    },
  ],
  ['is the payload alone without a title', { data: ['a'], contract: {}, headers: TYPE, payload: ['a'] }],
  [
    'may be text',
    {
      data: new Answer('<p>ä', { type: 'text/html' }),
      contract: {},
      headers: { 'content-type': 'text/html' },
      payload: '<p>ä',
    },
  ],
  [
    'may have headers',
    { data: new Answer(1, { headers: { a: 'b' } }), contract: {}, headers: { ...TYPE, a: 'b' }, payload: 1 },
  ],
  [
    'has the headers of its contract',
    { data: 1, contract: { headers: GIVEN }, headers: { ...TYPE, a: 'b' }, payload: 1 },
  ],
  [
    'prefers its own headers',
    {
      data: new Answer(1, { headers: OWN }),
      contract: { headers: GIVEN },
      headers: { ...TYPE, ...OWN, ...ID },
      payload: 1,
    },
  ],
  ['may have another type', { data: 1, contract: { headers: PLAIN }, headers: PLAIN, payload: 1 }],
])('an answer %s', async (_title, { data, contract, headers, payload }) => {
  const reply = await answer(data, { ...OPEN, ...contract });
  expect(reply).toMatchObject({ status: 200, payload });
  expect(reply.headers).toStrictEqual({ ...headers, ...ID });
});

test.each([
  [304, TYPE],
  [302, {}],
] as const)('an answer %i has the type of its 200 if it stands for that', (status, type) => {
  const { statusCode, headers, body } = rendered(OPEN, new Answer({}, { status }), gatewayEvent());
  expect({ statusCode, headers, body }).toEqual({
    statusCode: status,
    headers: { ...type, 'x-request-id': 'request-1' },
    body: '',
  });
});

test('an answer may set cookies', async () => {
  const cookies = ['a=1; Path=/', 'b=2'];
  expect(await answer(new Answer({}, { cookies }))).toMatchObject({ cookies });
});

test.each(Object.keys(FAILURES) as FailureCode[])(
  'a failure %s is enveloped, not stored, and logged for operators only',
  async (code) => {
    const { status, text } = FAILURES[code];
    const reply = await refuse(failureOf(code));
    expect(reply.status).toBe(status);
    expect(reply.headers).toStrictEqual({
      ...TYPE,
      ...NO_STORE,
      ...(status === 401
        ? { 'www-authenticate': `Bearer realm="core-account"${METADATA}, Basic realm="core-account"` }
        : {}),
      ...ID,
    });
    expect(reply.payload).toStrictEqual(failed(text, { code }));
    expect(Object.keys(reply.payload as object).at(-1)).toBe('data');
    expect(errors().map((line) => line['code'])).toEqual(status >= 500 ? [code] : []);
  },
);

test.each<[FailureCode, object, string]>([
  ['unauthenticated', { headers: { authorization: 'Bearer x' } }, ', error="invalid_token"'],
  ['unauthenticated', { rawQueryString: 'ptoken=x' }, ', error="invalid_token"'],
  ['unauthenticated', { cookies: ['ptoken=x'] }, ', error="invalid_token"'],
  ['invalid_credentials', { headers: { authorization: 'Bearer x' } }, ''],
])('a failure %s of a request with %j is challenged with "%s"', async (code, request, error) => {
  const { headers } = await refuse(failureOf(code), request);
  expect(headers['www-authenticate']).toBe(
    `Bearer realm="core-account"${error}${METADATA}, Basic realm="core-account"`,
  );
});

test.each(['origin', 'sec-fetch-mode', 'sec-fetch-site', 'sec-fetch-dest'])(
  'a browser, which sends %s, is not challenged to open a dialog',
  async (name) => {
    const { headers } = await refuse(failureOf('unauthenticated'), { headers: { [name]: 'x' } });
    expect(headers['www-authenticate']).toBe(`Bearer realm="core-account"${METADATA}`);
  },
);

test.each([
  [1, 'Try again in 1 s.'],
  [119, 'Try again in 119 s.'],
  [120, 'Try again in 2 minutes.'],
  [121, 'Try again in 3 minutes.'],
  [7140, 'Try again in 119 minutes.'],
  [7141, 'Try again in 2 hours.'],
  [86_400, 'Try again in 24 hours.'],
])('a failure of a limit says when it ends: in %i s', async (retryAfter, advice) => {
  const { payload } = await refuse(new Failure('too_many_requests', { retryAfter }));
  expect(payload).toMatchObject({ message: `Too many attempts. ${advice}` });
});

const faults = [{ field: 'a.b', message: 'Must be c' }];
const limit = { name: 'address', quota: 50, windowSeconds: 900 };
const ratelimit = '"address";r=0;t=7';
const LIMITED = { 'retry-after': '7', 'ratelimit-policy': '"address";q=50;w=900', ratelimit };
const code = 'too_many_requests';
test.each<[string, Failure, headers: object, data: object]>([
  ['names the fields at fault', invalid('a.b', 'Must be c'), {}, { code: 'invalid_request', errors: faults }],
  ['names the seconds to wait', new Failure(code, { retryAfter: 0 }), { 'retry-after': '0' }, { code }],
  ['names the exhausted limit', new Failure(code, { retryAfter: 7, limit }), LIMITED, { code }],
])('a failure %s, and ignores the headers of its endpoint', async (_title, failure, headers, data) => {
  const contract = { ...OPEN, headers: { 'cache-control': 'public', 'content-type': 'text/html' } };
  const reply = await refuse(failure, {}, contract);
  expect(reply.headers).toStrictEqual({ ...TYPE, ...NO_STORE, ...ID, ...headers });
  expect(reply.payload).toHaveProperty('data', data);
});

test.each([new Error('x'), Object.assign(new Error('x'), { statusCode: 400 }), 'a text', { a: 1 }, 42])(
  'a failure of any other kind is internal, and the answer does not describe it: %o',
  async (error) => {
    const reply = await refuse(error);
    expect(reply.payload).toStrictEqual(failed('The request could not be completed.', { code: 'internal' }));
    expect(errors()).toHaveLength(1);
  },
);

const SECRET = 'opaque-secret';
const basic = Buffer.from(`api:${SECRET}`).toString('base64');
const POST = { ...TITLED, method: 'POST', body: () => z.unknown() } satisfies Contract;
const json = { 'content-type': 'application/json' };

test.each<[string, Parameters<typeof call>[1]]>([
  ['a header', { headers: { authorization: `Secret ${SECRET}` } }],
  ['a header without a scheme', { headers: { authorization: SECRET } }],
  ['a header with more than one space', { headers: { authorization: `Token  x ${SECRET}` } }],
  ['a header with the user api', { headers: { authorization: `Token api:${SECRET}` } }],
  ['a Basic header', { headers: { authorization: `Basic ${basic}` } }],
  ['the query', { rawQueryString: `a=1&ptoken=${SECRET}` }],
  ['the encoded query', { rawQueryString: 'ptoken=api%3Aopaque%2Dsecret' }],
  ['a repeated query parameter', { rawQueryString: `ptoken=x&ptoken=${SECRET}` }],
  ['a cookie', { cookies: ['a=b', `ptoken=${SECRET}`] }],
  ['another cookie', { cookies: [`session=${SECRET}`] }],
  ...['password', 'token', 'current_password', 'new_password', 'code'].map(
    (field): [string, Parameters<typeof call>[1]] => [
      `the body as ${field}`,
      { headers: json, body: JSON.stringify({ [field]: SECRET }) },
    ],
  ),
])('the log of a failure does not have a credential of %s', async (_title, event) => {
  const quoting = new Error(`not ${SECRET}.`, { cause: new Error(`for ${SECRET}, ${basic}`) });
  await refuse(quoting, event, event?.body ? POST : TITLED);
  expect(errors()).toMatchObject([
    {
      function: 'test.open',
      requestId: 'request-1',
      code: 'internal',
      error: { message: 'not [redacted].', cause: { message: expect.stringMatching(/^for \[redacted\]/) } },
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain(SECRET);
  if (event?.headers?.['authorization']?.startsWith('Basic'))
    expect(JSON.stringify(lines)).not.toContain(basic);
});

test.each(['{"password":1234}', '{"password":{}}', '"text"', 'null'])(
  'the log of a failure is written for the body %s',
  async (body) => {
    const reply = await refuse(new Error('plain 1234'), { headers: json, body }, POST);
    expect(reply.status).toBe(500);
    expect(errors()).toMatchObject([{ error: { message: 'plain 1234' } }]);
  },
);
