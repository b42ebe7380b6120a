import { describe, expect, test } from 'vitest';
import { Answer } from '#lib/contract/answer';
import type { Contract } from '#lib/contract/contract';
import { FAILURES, Failure, type FailureCode, invalid } from '#lib/failure';
import { envelope } from '#lib/http/envelope';
import { gatewayEvent } from '../support/gateway-event.ts';
import { logLines } from '../support/log-lines.ts';

const lines = logLines();

const CONTRACT = { id: 'test.rule', title: 'Done' } as const;
const EXECUTED_AT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

interface Response {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly cookies?: string[];
  readonly body: string;
}

/** What leaves where a rule answers this, or throws it. */
function leave(
  step: 'after' | 'onError',
  outcome: unknown,
  contract: Partial<Contract> = CONTRACT,
  part = {},
) {
  const middleware = envelope(contract as Contract) as unknown as Record<
    typeof step,
    (request: object) => void
  >;
  const request = { event: gatewayEvent(part), response: outcome, error: outcome };
  middleware[step](request);
  return request.response as Response;
}
const answer = (data: unknown, contract?: Partial<Contract>) => leave('after', data, contract);
const refuse = (error: unknown, part = {}) => leave('onError', error, CONTRACT, part);

describe('an answer', () => {
  test('of an endpoint with a title is enveloped, and kept by nobody', () => {
    const { body, ...rest } = answer({ a: 1 });
    expect(rest).toStrictEqual({
      statusCode: 200,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-request-id': 'request-1',
      },
    });
    expect(JSON.parse(body)).toStrictEqual({
      success: true,
      message: 'Done',
      requestID: 'request-1',
      executed_at: EXECUTED_AT,
      data: { a: 1 },
    });
    expect(Object.keys(JSON.parse(body))).toEqual(['success', 'message', 'requestID', 'executed_at', 'data']);
  });

  test('of an endpoint whose title is empty is enveloped all the same', () => {
    expect(JSON.parse(answer({}, { ...CONTRACT, title: '' }).body)).toMatchObject({
      success: true,
      message: '',
    });
  });

  test('of an endpoint without a title is the payload alone', () => {
    expect(answer(['a'], { id: 'test.rule' })).toStrictEqual({
      statusCode: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'request-1' },
      body: '["a"]',
    });
  });

  test('is the JSON that is written already, where there is any', () => {
    expect(answer(new Answer([], { json: '[ 1]' }), { id: 'test.rule' }).body).toBe('[ 1]');
  });

  test('has headers of its own in place of those of its contract, but for the id of the request', () => {
    const headers = { 'cache-control': 'public', a: 'b' };
    const own = { 'cache-control': 'no-store', 'x-request-id': 'x' };
    expect(answer(new Answer({}, { headers: own }), { ...CONTRACT, headers }).headers).toMatchObject({
      'cache-control': 'no-store',
      a: 'b',
      'x-request-id': 'request-1',
    });
  });

  test('has the headers of its contract, but for the id of the request', () => {
    const headers = { 'cache-control': 'public', 'content-type': 'text/x', a: 'b', 'x-request-id': 'x' };
    expect(answer({}, { ...CONTRACT, headers }).headers).toStrictEqual({
      'content-type': 'text/x',
      'cache-control': 'public',
      a: 'b',
      'x-request-id': 'request-1',
    });
  });

  test('of a media type is its text', () => {
    const response = answer(new Answer('<p>"ä"</p>', { type: 'text/html' }), { id: 'test.rule' });
    expect(response).toStrictEqual({
      statusCode: 200,
      headers: { 'content-type': 'text/html', 'x-request-id': 'request-1' },
      body: '<p>"ä"</p>',
    });
  });

  test('sets the cookies that it has', () => {
    const cookies = ['a=1; Path=/', 'b=2'];
    const response = answer(new Answer({ a: 1 }, { cookies }));
    expect(response.cookies).toEqual(cookies);
    expect(JSON.parse(response.body).data).toEqual({ a: 1 });
    expect(answer(new Answer({ a: 1 }))).not.toHaveProperty('cookies');
  });
});

describe('a failure', () => {
  test.each(Object.entries(FAILURES))('%s is enveloped, and kept by nobody', (code, { status, text }) => {
    const { body, ...rest } = refuse(new Failure(code as FailureCode));
    expect(rest).toStrictEqual({
      statusCode: status,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        ...(status === 401 ? { 'www-authenticate': 'Bearer realm="core-account"' } : {}),
        'x-request-id': 'request-1',
      },
    });
    expect(JSON.parse(body)).toStrictEqual({
      success: false,
      message: text,
      requestID: 'request-1',
      executed_at: EXECUTED_AT,
      data: { code },
    });
    expect(Object.keys(JSON.parse(body))).toEqual(['success', 'message', 'requestID', 'executed_at', 'data']);
  });

  test('of an endpoint without a title, or with headers of its own, is the same', () => {
    const contract = {
      id: 'test.rule',
      headers: { 'cache-control': 'public', 'content-type': 'text/html' },
    } as const;
    const { headers, body } = leave('onError', new Failure('forbidden'), contract);
    expect(headers).toStrictEqual({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': 'request-1',
    });
    expect(JSON.parse(body).data).toEqual({ code: 'forbidden' });
  });

  test('names the fields at fault', () => {
    expect(JSON.parse(refuse(invalid('a.b', 'Must be c')).body).data).toStrictEqual({
      code: 'invalid_request',
      errors: [{ field: 'a.b', message: 'Must be c' }],
    });
  });

  test('names the limit that was reached, and when it gives way', () => {
    const limit = { name: 'address', quota: 50, windowSeconds: 900 };
    expect(refuse(new Failure('too_many_requests', { retryAfter: 7, limit })).headers).toMatchObject({
      'ratelimit-policy': '"address";q=50;w=900',
      ratelimit: '"address";r=0;t=7',
    });
    expect(Object.keys(refuse(new Failure('too_many_requests')).headers).join()).not.toContain('ratelimit');
  });

  test.each([0, 1, 900])('says after how many seconds to try again: %i', (retryAfter) => {
    expect(refuse(new Failure('too_many_requests', { retryAfter })).headers['retry-after']).toBe(
      `${retryAfter}`,
    );
  });

  test.each([
    [415, 'unsupported_media_type', { field: 'content-type', message: 'Must be application/json' }],
    [422, 'invalid_request', { field: 'body', message: 'Must be well-formed JSON' }],
  ])('of the parser with status %i becomes %s', (statusCode, code, error) => {
    const { body } = refuse(Object.assign(new Error('x'), { statusCode }));
    expect(JSON.parse(body).data).toStrictEqual({ code, errors: [error] });
    expect(lines).toEqual([]);
  });

  test('that is of no other kind is internal', () => {
    for (const error of [new Error('x'), Object.assign(new Error('x'), { statusCode: 400 }), 'x', {}])
      expect(JSON.parse(refuse(error).body).data).toStrictEqual({ code: 'internal' });
  });
});

describe('an outage', () => {
  const outage = (part: object) => Object.assign(new Error('down'), part);

  test.each([
    outage({ name: 'ThrottlingException' }),
    outage({ name: 'TimeoutError' }),
    outage({ $metadata: { httpStatusCode: 500 } }),
    outage({ code: 'ECONNREFUSED' }),
  ])('is answered with 503 and when to try again: %o', (error) => {
    const { statusCode, headers, body } = refuse(error);
    expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
    expect(JSON.parse(body).data).toStrictEqual({ code: 'unavailable' });
    expect(lines).toMatchObject([{ code: 'unavailable', error: { message: 'down' } }]);
  });
});

describe('the log', () => {
  test.each(Object.keys(FAILURES) as FailureCode[])(
    'has a line for what only operators can mend: %s',
    (code) => {
      refuse(new Failure(code));
      expect(lines).toEqual(
        code === 'internal' || code === 'unavailable'
          ? [
              {
                level: 'error',
                function: 'test.rule',
                requestId: 'request-1',
                code,
                error: { name: 'Failure', message: FAILURES[code].text, stack: expect.any(Array) },
              },
            ]
          : [],
      );
    },
  );

  test('says what went wrong, where, and why', () => {
    refuse(new TypeError('a is no b', { cause: new Error('c') }));
    expect(lines).toStrictEqual([
      {
        level: 'error',
        function: 'test.rule',
        requestId: 'request-1',
        code: 'internal',
        error: {
          name: 'TypeError',
          message: 'a is no b',
          stack: expect.arrayContaining([expect.stringContaining('envelope.test.ts')]),
          cause: { name: 'Error', message: 'c', stack: expect.any(Array) },
        },
      },
    ]);
  });

  const basic = Buffer.from('api:opaque-secret').toString('base64');

  test.each([
    ['a header', { headers: { authorization: 'Secret opaque-secret' } }],
    ['a header without a scheme', { headers: { authorization: 'opaque-secret' } }],
    ['a header with more than one space', { headers: { authorization: 'Token  x opaque-secret' } }],
    ['a header with the user of tokens', { headers: { authorization: 'Token api:opaque-secret' } }],
    ['a Basic header', { headers: { authorization: `Basic ${basic}` } }],
    ['the query', { rawQueryString: 'a=1&ptoken=opaque-secret' }],
    ['the query, encoded', { rawQueryString: 'ptoken=api%3Aopaque%2Dsecret' }],
    ['the query, once more', { rawQueryString: 'ptoken=x&ptoken=opaque-secret' }],
    ['a cookie', { cookies: ['a=b', 'ptoken=opaque-secret'] }],
    ['another cookie', { cookies: ['session=opaque-secret'] }],
    ['the body', { body: { password: 'opaque-secret' } }],
  ])('has no credential that came in %s', (_name, part) => {
    refuse(new Error('not opaque-secret.', { cause: new Error('for opaque-secret') }), part);
    expect(lines).toMatchObject([
      { error: { message: 'not [redacted].', cause: { message: 'for [redacted]' } } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('opaque-secret');
  });

  test('has neither the whole Basic header nor what it stands for', () => {
    refuse(new Error(`${basic} is opaque-secret`), { headers: { authorization: `Basic ${basic}` } });
    expect(lines).toMatchObject([{ error: { message: '[redacted] is [redacted]' } }]);
  });

  test.each([
    { body: { password: 1234 } },
    { body: { password: {} } },
    { body: 'text' },
    { body: null },
    { headers: undefined },
  ])('has its line whatever the request is: %j', (part) => {
    expect(refuse(new Error('plain 1234'), part).statusCode).toBe(500);
    expect(lines).toMatchObject([{ error: { message: 'plain 1234' } }]);
  });
});
