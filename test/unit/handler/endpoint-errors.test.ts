import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Contract } from '#lib/contract/contract';
import { Failure } from '#lib/failure';
import { endpoint } from '#lib/handler/endpoint';
import { call, createSigningKey, openEndpoints } from '../support/endpoints.ts';
import { logLines } from '../support/log-lines.ts';

const lines = logLines();
const { table, caller, session } = await openEndpoints();
const { account, token, headers } = await caller();
const jwt = await session(account, await createSigningKey(table), Date.now());
const basic = Buffer.from(`api:${token}`).toString('base64');

const FAILING = {
  id: 'test.failing',
  summary: '',
  method: 'POST',
  path: '/test/failing',
  access: 'authenticated',
  needs: [],
  title: 'Failing',
  response: () => z.object({}),
} as const satisfies Contract;

const OPAQUE = {
  success: false,
  message: 'The request could not be completed.',
  requestID: 'request-1',
  executed_at: expect.any(String),
  data: { code: 'internal' },
};

/** An endpoint whose rule throws this. */
const throwing = (error: unknown) =>
  endpoint(FAILING, () => {
    throw error;
  });

describe('an unexpected error', () => {
  test.each([
    ['that is thrown', () => throwing(new TypeError('a is not a function'))],
    [
      'that a promise is rejected with',
      () => endpoint(FAILING, async () => Promise.reject(new TypeError('a is not a function'))),
    ],
  ])('%s is answered with 500 that says nothing of it', async (_name, build) => {
    const reply = await call(build(), { method: 'POST', headers });
    expect(reply).toStrictEqual({
      status: 500,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-request-id': 'request-1',
      },
      cookies: undefined,
      payload: OPAQUE,
      code: 'internal',
    });
  });

  test('is logged once, with what is needed to find it', async () => {
    await call(throwing(new TypeError('a is not a function')), { method: 'POST', headers });
    expect(lines).toStrictEqual([
      {
        level: 'error',
        function: 'test.failing',
        requestId: 'request-1',
        code: 'internal',
        error: {
          name: 'TypeError',
          message: 'a is not a function',
          stack: expect.arrayContaining([expect.stringContaining('endpoint-errors.test.ts')]),
        },
      },
      expect.objectContaining({ level: 'info', function: 'test.failing', status: 500, userid: account.id }),
    ]);
  });

  test.each([['a text'], [{ a: 1 }], [42]])('may be anything: %j', async (error) => {
    expect((await call(throwing(error), { method: 'POST', headers })).payload).toStrictEqual(OPAQUE);
    expect(lines[0]).toMatchObject({
      code: 'internal',
      error: { name: typeof error, message: String(error) },
    });
  });
});

describe('the log of an error that quotes the credential has no credential that came in', () => {
  test.each([
    ['a Token header', { headers }, [token]],
    ['a Bearer header', { headers: { authorization: `Bearer ${jwt}` } }, [jwt]],
    ['a Basic header', { headers: { authorization: `Basic ${basic}` } }, [basic, token]],
    [
      'the query',
      {
        headers: {},
        rawQueryString: `ptoken=api:${token}`,
        queryStringParameters: { ptoken: `api:${token}` },
      },
      [token],
    ],
    ['the query, as a session', { headers: {}, rawQueryString: `ptoken=${jwt}` }, [jwt]],
    ['a cookie', { headers: {}, cookies: [`ptoken=${jwt}`] }, [jwt]],
  ])('%s', async (_name, event, credentials) => {
    const quoting = new Error(`cannot use ${credentials.join(' or ')}!`, {
      cause: new Error(`since ${credentials.join(' and ')} failed`),
    });
    const { payload, status } = await call(throwing(quoting), { method: 'POST', ...event });
    expect([status, payload]).toEqual([500, OPAQUE]);
    expect(lines).toHaveLength(2);
    for (const credential of credentials) expect(JSON.stringify(lines)).not.toContain(credential);
  });

  test('the body, as a password', async () => {
    const LOGIN = {
      ...FAILING,
      access: 'public',
      body: () => z.strictObject({ username: z.string(), password: z.string() }),
    } as const satisfies Contract;
    const handler = endpoint(LOGIN, ({ body }) => {
      throw new Error(`${body.username} came with ${body.password}`);
    });
    const body = JSON.stringify({ username: 'Ada', password: 'correct horse' });
    await call(handler, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(lines).toMatchObject([{ error: { message: 'Ada came with [redacted]' } }, { status: 500 }]);
  });
});

test('a refusal is answered as it is, and has no line but that of its request', async () => {
  const refusing = throwing(new Failure('too_many_requests', { retryAfter: 42 }));
  const reply = await call(refusing, { method: 'POST', headers });
  expect([reply.status, reply.code, reply.headers['retry-after']]).toEqual([429, 'too_many_requests', '42']);
  expect(lines).toMatchObject([{ level: 'info', status: 429 }]);
  expect(lines).toHaveLength(1);
});
