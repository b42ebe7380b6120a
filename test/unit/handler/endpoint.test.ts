import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { username } from '#lib/account/identifiers';
import type { Contract } from '#lib/contract/contract';
import type { GatewayEvent } from '#lib/contract/gateway-event';
import { endpoint } from '#lib/handler/endpoint';
import { MAX_BODY_BYTES } from '#lib/http/body';
import { call, OPEN, openEndpoints } from '../support/endpoints.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { logLines } from '../support/log-lines.ts';
import { surrounded } from '../support/unseen.ts';

logLines();
const { wire, table, caller, account, operations } = await openEndpoints();
const someone = await caller();
const admin = await caller({ roles: ['sys_administrator'] });
const target = await account();

const JSON_TYPE = { 'content-type': 'application/json' };
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
const IN_BODY = {
  ...TARGET,
  access: { role: 'sys_administrator', orSelf: 'body' },
  accounts: [],
  params: () => z.object({}),
  body: () => z.strictObject({ username: z.optional(z.string()) }),
  response: () => z.literal('done'),
} as const satisfies Contract;

const hit = endpoint(TARGET, ({ body: { n }, accounts: [{ id }] }) => ({ n, id }));
const json = { ...admin.headers, ...JSON_TYPE };
const text = { 'content-type': 'text/plain' };
const noName = { username: 'no name' };
const missing = { username: 'no-such-account' };
const large = `"${'x'.repeat(MAX_BODY_BYTES)}"`;

test.each<
  [string, { code: string; headers: Record<string, string>; body: string; path: object; query?: object }]
>([
  ['credential', { code: 'unauthenticated', headers: text, body: '{', path: noName }],
  ['role', { code: 'forbidden', headers: { ...someone.headers, ...text }, body: '{', path: noName }],
  ['size', { code: 'payload_too_large', headers: { ...admin.headers, ...text }, body: large, path: noName }],
  [
    'content type',
    { code: 'unsupported_media_type', headers: { ...admin.headers, ...text }, body: '{', path: noName },
  ],
  ['JSON', { code: 'invalid_request', headers: json, body: '{', path: missing }],
  ['name', { code: 'invalid_request', headers: json, body: '{"n":1}', path: noName }],
  ['query', { code: 'invalid_request', headers: json, body: '{"n":1}', path: missing, query: { q: '1234' } }],
  ['shape', { code: 'invalid_request', headers: json, body: '{"n":"1"}', path: missing }],
  ['existence', { code: 'account_not_found', headers: json, body: '{"n":1}', path: missing }],
])(
  'the first fault of a request decides the answer: %s',
  async (_title, { code, headers, body, path, query }) => {
    const parameters = { pathParameters: path, queryStringParameters: query } as Partial<GatewayEvent>;
    expect((await call(hit, { method: 'POST', headers, body, ...parameters })).code).toBe(code);
  },
);

test.each([
  ['credential', 'unauthenticated', {}, '{"surprise":1}'],
  ['shape', 'invalid_request', someone.headers, '{"surprise":1,"username":"other"}'],
  ['role', 'forbidden', someone.headers, '{"username":"other"}'],
  ['none', undefined, someone.headers, `{"username":"${someone.account.username}"}`],
  ['none for an administrator', undefined, admin.headers, '{"username":"other"}'],
])(
  'the first fault of a request decides the answer: %s, when the target is in the body',
  async (_title, code, headers, body) => {
    const rule = endpoint(IN_BODY, () => 'done' as const);
    const reply = await call(rule, { method: 'POST', headers: { ...headers, ...JSON_TYPE }, body });
    expect(reply.code).toBe(code);
    expect(reply.status === 200).toBe(code === undefined);
  },
);

test('a rule has the caller, the accounts and the input in the shapes of its contract', async () => {
  let given: { event: GatewayEvent } | undefined;
  const rule = endpoint(TARGET, (request, runtime) => {
    given = request;
    expect([runtime.table.name, runtime.instanceName]).toEqual([table.name, 'test']);
    return { n: 7, id: request.accounts[0].id };
  });
  const sent = {
    method: 'POST',
    headers: { ...admin.headers, ...JSON_TYPE },
    body: Buffer.from('{"n":7}').toString('base64'),
    isBase64Encoded: true,
    pathParameters: { username: target.username },
    queryStringParameters: { q: 'abc', other: 'x' },
  };
  const { payload } = await call(rule, sent);
  expect(payload).toMatchObject({ success: true, message: 'Target Hit', data: { n: 7, id: target.id } });
  const { event, ...rest } = given as NonNullable<typeof given>;
  expect(rest).toMatchObject({
    caller: { id: admin.account.id },
    actor: { by: admin.account.username, requestId: 'request-1' },
    accounts: [{ id: target.id }],
    params: { username: target.username },
    body: { n: 7 },
    headers: {},
  });
  expect(rest).toHaveProperty('query', { q: 'abc' });
  expect(event).toStrictEqual(gatewayEvent(sent));
});

test('a username on the path is read without what surrounds it unseen, before access and look-up', async () => {
  const own = endpoint(
    { ...TARGET, access: { role: 'sys_administrator', orSelf: 'path' } },
    ({ accounts: [{ id }], params }) => ({ n: params.username.length, id }),
  );
  const sendTo = (rule: typeof own, { headers }: typeof someone, username: string) =>
    call(rule, {
      method: 'POST',
      headers: { ...headers, ...JSON_TYPE },
      body: '{"n":7}',
      pathParameters: { username },
    });
  for (const [by, name] of [
    [admin, target.username],
    [someone, someone.account.username],
  ] as const)
    expect((await sendTo(own, by, surrounded(name))).payload).toMatchObject({ data: { n: name.length } });
  for (const name of [surrounded(''), target.username.replace(/^./, '$&\u200b')])
    expect((await sendTo(own, admin, name)).code).toBe('invalid_request');
});

test('a rule of a public endpoint has no caller, and nothing is read', async () => {
  const rule = endpoint(OPEN, ({ caller = null, actor = null, accounts, params, query, body = null }) => ({
    ...{ caller, actor, accounts, params, query, body },
  }));
  wire.reset();
  const { payload } = await call(rule, { headers: admin.headers });
  expect(payload).toEqual({ caller: null, actor: null, accounts: [], params: {}, query: {}, body: null });
  expect(operations()).toEqual([]);
});
