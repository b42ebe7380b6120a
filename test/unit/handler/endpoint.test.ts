import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { username } from '#lib/account/identifiers';
import { Answer } from '#lib/contract/answer';
import type { Contract } from '#lib/contract/contract';
import type { GatewayEvent } from '#lib/contract/gateway-event';
import { endpoint } from '#lib/handler/endpoint';
import { call, openEndpoints } from '../support/endpoints.ts';
import { logLines } from '../support/log-lines.ts';

const lines = logLines();
const { wire, table, caller, account, operations } = await openEndpoints();

const JSON_TYPE = { 'content-type': 'application/json' };
const MISSING = { username: 'no-such-account' };
const EXECUTED_AT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

const someone = await caller();
const admin = await caller({ roles: ['sys_administrator'] });
const target = await account();

const OPEN = {
  id: 'test.open',
  summary: '',
  method: 'GET',
  path: '/test/open',
  access: 'public',
  needs: [],
  response: () => z.unknown(),
} as const satisfies Contract;

const OWN = { ...OPEN, id: 'test.own', access: 'authenticated' } as const satisfies Contract;

const TARGET = {
  ...OPEN,
  id: 'test.target',
  method: 'POST',
  path: '/test/target/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  title: 'Target Hit',
  params: () => z.object({ username: username() }),
  query: () => z.object({ q: z.optional(z.string().check(z.maxLength(3))) }),
  body: () => z.strictObject({ n: z.int() }),
  response: () => z.strictObject({ n: z.int(), id: z.string() }),
} as const satisfies Contract;

describe('of several faults of a request the first is answered: the', () => {
  const hit = endpoint(TARGET, ({ body: { n }, accounts: [{ id }] }) => ({ n, id }));
  const text = { 'content-type': 'text/plain' };
  const noName = { username: 'no name' };

  test.each<[string, string | undefined, Parameters<typeof call>[1]]>([
    ['credential', 'unauthenticated', { headers: text, body: '{', pathParameters: noName }],
    ['role', 'forbidden', { headers: { ...someone.headers, ...text }, body: '{', pathParameters: noName }],
    [
      'content type',
      'unsupported_media_type',
      { headers: { ...admin.headers, ...text }, body: '{', pathParameters: noName },
    ],
    [
      'size',
      'payload_too_large',
      { headers: admin.headers, body: `"${'x'.repeat(256 * 1024)}"`, pathParameters: noName },
    ],
    [
      'JSON',
      'invalid_request',
      { headers: { ...admin.headers, ...JSON_TYPE }, body: '{', pathParameters: MISSING },
    ],
    [
      'name',
      'invalid_request',
      { headers: { ...admin.headers, ...JSON_TYPE }, body: '{"n":1}', pathParameters: noName },
    ],
    [
      'query',
      'invalid_request',
      {
        headers: { ...admin.headers, ...JSON_TYPE },
        body: '{"n":1}',
        pathParameters: MISSING,
        queryStringParameters: { q: '1234' },
      },
    ],
    [
      'shape',
      'invalid_request',
      { headers: { ...admin.headers, ...JSON_TYPE }, body: '{"n":"1"}', pathParameters: MISSING },
    ],
    [
      'existence',
      'account_not_found',
      { headers: { ...admin.headers, ...JSON_TYPE }, body: '{"n":1}', pathParameters: MISSING },
    ],
  ])('%s', async (_name, code, event) => {
    expect((await call(hit, { method: 'POST', ...event })).code).toBe(code);
  });

  test('and none where there is none', async () => {
    const headers = { ...admin.headers, ...JSON_TYPE };
    const pathParameters = { username: target.username };
    const { status, payload } = await call(hit, { method: 'POST', headers, body: '{"n":1}', pathParameters });
    expect(status).toBe(200);
    expect(payload).toStrictEqual({
      success: true,
      message: 'Target Hit',
      requestID: 'request-1',
      executed_at: EXECUTED_AT,
      data: { n: 1, id: target.id },
    });
  });
});

describe('where the target stands in the body, of several faults the first is answered: the', () => {
  const IN_BODY = {
    ...TARGET,
    access: { role: 'sys_administrator', orSelf: 'body' },
    accounts: [],
    params: () => z.object({}),
    body: () => z.strictObject({ username: z.optional(z.string()) }),
    response: () => z.literal('done'),
  } as const satisfies Contract;
  const rule = endpoint(IN_BODY, () => 'done' as const);

  test.each([
    ['credential', 'unauthenticated', {}, '{"surprise":1}'],
    ['shape', 'invalid_request', someone.headers, '{"surprise":1,"username":"other"}'],
    ['role', 'forbidden', someone.headers, '{"username":"other"}'],
    ['none', undefined, someone.headers, `{"username":"${someone.account.username}"}`],
    ['none, of nobody', undefined, someone.headers, '{}'],
    ['none, of an administrator', undefined, admin.headers, '{"username":"other"}'],
  ])('%s', async (_name, code, headers, body) => {
    const reply = await call(rule, { method: 'POST', headers: { ...headers, ...JSON_TYPE }, body });
    expect(reply.code).toBe(code);
    expect(reply.status === 200).toBe(code === undefined);
  });
});

describe('a rule', () => {
  test('is given who calls, the accounts, and what was sent, in the shapes of its contract', async () => {
    let given: { event: GatewayEvent } | undefined;
    const rule = endpoint(TARGET, (request, runtime) => {
      given = request;
      expect([runtime.table.name, runtime.instanceName]).toEqual([table.name, 'test']);
      return { n: 1, id: '' };
    });
    await call(rule, {
      method: 'POST',
      headers: { ...admin.headers, ...JSON_TYPE },
      body: Buffer.from('{"n":7}').toString('base64'),
      isBase64Encoded: true,
      pathParameters: { username: target.username },
      queryStringParameters: { q: 'abc', other: 'x' },
    });
    const { event, ...rest } = given as NonNullable<typeof given>;
    expect(rest).toMatchObject({
      caller: { id: admin.account.id },
      accounts: [{ id: target.id }],
      params: { username: target.username },
      body: { n: 7 },
    });
    expect(rest).toHaveProperty('query', { q: 'abc' });
    expect(event).toMatchObject({ body: { n: 7 }, isBase64Encoded: false, rawPath: '/' });
    for (const name of ['caller', 'accounts', 'params', 'query']) expect(event).not.toHaveProperty(name);
  });

  test('that anyone may call is given no caller, and nothing is read for it', async () => {
    const rule = endpoint(OPEN, ({ caller, accounts, params, query, body }) => ({
      caller: caller ?? null,
      accounts,
      params,
      query,
      body: body ?? null,
    }));
    wire.reset();
    const { payload } = await call(rule, { headers: admin.headers });
    expect(payload).toEqual({ caller: null, accounts: [], params: {}, query: {}, body: null });
    expect(operations()).toEqual([]);
  });

  test('that any account may call is given its caller', async () => {
    const rule = endpoint(OWN, ({ caller: { id }, accounts }) => ({ id, accounts }));
    const { payload } = await call(rule, { headers: someone.headers });
    expect(payload).toEqual({ id: someone.account.id, accounts: [] });
    expect((await call(rule)).code).toBe('unauthenticated');
  });

  test('may answer at once or later', async () => {
    expect((await call(endpoint(OPEN, () => 1))).payload).toBe(1);
    expect((await call(endpoint(OPEN, async () => 2))).payload).toBe(2);
  });

  test('may set cookies', async () => {
    const { cookies } = await call(endpoint(OPEN, () => new Answer({}, { cookies: ['a=1', 'b=2'] })));
    expect(cookies).toEqual(['a=1', 'b=2']);
    expect((await call(endpoint(OPEN, () => new Answer({})))).cookies).toBeUndefined();
  });
});

test('the cookie of a caller is refused from another site before its role is told', async () => {
  const hit = endpoint(TARGET, () => ({ n: 1, id: '' }));
  const headers = { 'sec-fetch-site': 'cross-site', ...JSON_TYPE };
  const cookies = ['ptoken=eyJh.eyJh.AAAA'];
  expect((await call(hit, { method: 'POST', headers, cookies })).code).toBe('unauthenticated');
});

describe('the answer of an endpoint that compresses', () => {
  const long = endpoint({ ...OPEN, compress: true, title: 'Long' }, () => ({ text: 'x'.repeat(2000) }));
  const headers = { 'accept-encoding': 'gzip' };

  test('is compressed as a whole, its envelope included', async () => {
    const { headers: sent, payload } = await call(long, { headers });
    expect(sent).toStrictEqual({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      'x-request-id': 'request-1',
    });
    const text = gunzipSync(Buffer.from(payload as string, 'base64')).toString();
    expect(JSON.parse(text)).toMatchObject({ success: true, data: { text: 'x'.repeat(2000) } });
  });

  test('stays as it is where it is a failure', async () => {
    const { headers: sent, code } = await call(
      endpoint({ ...OWN, compress: true }, () => 'x'.repeat(2000)),
      { headers },
    );
    expect(code).toBe('unauthenticated');
    expect(sent).not.toHaveProperty('content-encoding');
  });

  test('and of no other', async () => {
    const { headers: sent } = await call(
      endpoint(OPEN, () => 'x'.repeat(2000)),
      { headers },
    );
    expect(sent).toStrictEqual({
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'request-1',
    });
  });
});

describe('every request is logged in one line', () => {
  const line = { level: 'info', function: 'test.own', requestId: 'request-1', ms: expect.any(Number) };

  test('with its caller and its status', async () => {
    await call(
      endpoint(OWN, () => 1),
      { headers: someone.headers, routeKey: 'GET /test/own' },
    );
    expect(lines).toStrictEqual([
      {
        ...line,
        route: 'GET /test/own',
        status: 200,
        outcome: 'success',
        start: 'cold',
        userid: someone.account.id,
      },
    ]);
  });

  test('with its status alone where nobody was verified', async () => {
    await call(
      endpoint(OWN, () => 1),
      { headers: { authorization: 'Token x' } },
    );
    expect(lines).toStrictEqual([
      { ...line, route: 'GET /', status: 401, outcome: 'refused', start: 'cold' },
    ]);
  });
});
