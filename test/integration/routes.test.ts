import { describe, expect, test } from 'vitest';
import { contracts, routes } from '#lib/routes';
import { send } from './raw-request.ts';
import { requestOf } from './requests.ts';
import { admin, type Call, call, createUser, get, uniqueName } from './service.ts';

/** A path of the route with every parameter filled in. */
const fill = (path: string, username: string) =>
  path
    .replace('{app_name}', 'core')
    .replace('{token_name}', 'some-token')
    .replaceAll(/\{\w+\}/g, username);

const nobody = await createUser();
const token = await nobody.token();
const jwt = await nobody.logIn();

const everyRole = await (await createUser({ roles: ['sys_administrator', 'sys_tokens'] })).token();

const protectedRoutes = routes.filter(({ contract }) => contract.access !== 'public');

/** What is wrong with each credential, and how it is sent. */
const garbage: [string, (path: string) => [string, Call]][] = [
  ['no credential', (path) => [path, {}]],
  ['an empty header', (path) => [path, { headers: { authorization: '' } }]],
  ['an unknown scheme', (path) => [path, { headers: { authorization: 'Digest abc' } }]],
  [
    'a token with a wrong checksum',
    (path) => [path, { headers: { authorization: `Token ${token.slice(0, -1)}!` } }],
  ],
  ['a token as a bearer', (path) => [path, { headers: { authorization: `Bearer ${token}` } }]],
  ['a session as a token', (path) => [path, { headers: { authorization: `Token ${jwt}` } }]],
  [
    'a session with a broken signature',
    (path) => [path, { headers: { authorization: `Bearer ${jwt.slice(0, -4)}AAAA` } }],
  ],
  [
    'an unsigned session',
    (path) => [path, { headers: { authorization: `Bearer eyJhbGciOiJub25lIn0.${jwt.split('.')[1]}.` } }],
  ],
  ['a session as a token in the query', (path) => [`${path}?ptoken=api:${jwt}`, {}]],
  ['an empty query token', (path) => [`${path}?ptoken=`, {}]],
  ['a token in the cookie', (path) => [path, { headers: { cookie: `ptoken=${token}` } }]],
  ['two cookies', (path) => [path, { headers: { cookie: `ptoken=${jwt}; ptoken=${jwt}` } }]],
  [
    'a bad header before a good cookie',
    (path) => [path, { headers: { authorization: 'Bearer a.b.c', cookie: `ptoken=${jwt}` } }],
  ],
];

describe.each(protectedRoutes)('$method $path', ({ method, path }) => {
  test('refuses every request without a valid credential, in the one envelope', async () => {
    for (const [what, request] of garbage) {
      const reply = await call(method, ...request(fill(path, nobody.username)));
      expect(reply.status, what).toBe(401);
      expect(reply.headers.get('www-authenticate'), what).toContain('Bearer');
      expect(reply.headers.get('cache-control'), what).toBe('no-store');
      expect(reply.body, what).toEqual({
        success: false,
        message: expect.any(String),
        requestID: reply.headers.get('x-request-id'),
        executed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        data: { code: 'unauthenticated' },
      });
    }
  });
});

const gated = protectedRoutes.filter(
  ({ path, contract: { access } }) =>
    typeof access === 'object' && (path.includes('{username}') || !('orSelf' in access)),
);

test.each(gated)(
  '$method $path tells an account without the role only that it may not, whether the target exists or not',
  async ({ method, path, contract: { access } }) => {
    for (const target of ['admin', uniqueName('missing')]) {
      const reply = await call(method, fill(path, target), { token });
      expect(reply.status, target).toBe(403);
      expect(reply.body.data, target).toEqual({
        code: 'forbidden',
        errors: [{ field: 'role', message: `Requires ${(access as { role: string }).role}` }],
      });
    }
  },
);

const named = protectedRoutes.filter(({ path }) => path.includes('username}'));

test.each(named)(
  '$method $path refuses a name that no account can have, to who may ask',
  async ({ method, path }) => {
    const reply = await call(method, fill(path, 'not%20a%20name'), admin);
    expect(reply.status).toBe(400);
    expect(reply.code).toBe('invalid_request');
    expect(reply.body.data.errors[0].field).toMatch(/username$/);
  },
);

test.each(named.filter(({ path }) => path.includes('{username}')))(
  '$method $path answers 404 for an account that does not exist',
  async ({ method, path }) => {
    const reply = await call(method, fill(path, uniqueName('missing')), admin);
    expect(reply.status).toBe(404);
    expect(reply.code).toBe('account_not_found');
  },
);

const closed = contracts.filter(({ id, access }) => access !== 'public' && id !== 'system.ping');

/** A request of a caller with every role that would succeed. */
async function goodRequest(id: string) {
  const user = await createUser();
  await user.token('first');
  const [method, path, request] = requestOf(id, user);
  return { method, path, headers: { authorization: `Token ${everyRole}` }, json: request?.json };
}

test.each(closed)('$id names the parameter of a query that it does not know', async ({ id }) => {
  const request = await goodRequest(id);
  const path = `${request.path}${request.path.includes('?') ? '&' : '?'}surprise=1&surprise=2&ptoken=x`;
  const { status, body } = await send({ ...request, path });
  expect(status).toBe(400);
  expect(body?.data['errors']).toEqual([{ field: 'surprise', message: 'Unknown parameter' }]);
});

test.each(closed.filter(({ body }) => !body))('$id refuses a body that asks for anything', async ({ id }) => {
  const request = await goodRequest(id);
  const { status, body } = await send({ ...request, json: { expires_in_days: 90 } });
  expect(status).toBe(400);
  expect(body?.data['errors']).toEqual([{ field: 'body', message: 'This endpoint takes no body' }]);
  expect((await send({ ...request, json: {} })).status, 'an empty object').toBe(200);
});

const bodied = routes.filter(({ method, contract }) => contract.body && method !== 'GET');

describe.each(bodied)('$method $path', ({ method, path, contract }) => {
  const json = { 'content-type': 'application/json' };
  const limit = contract.maxBodyBytes ?? 256 * 1024;

  test('refuses every malformed body with 400', async () => {
    const malformed: [string, string | Uint8Array<ArrayBuffer>][] = [
      ['no JSON', 'username=admin'],
      ['half JSON', '{"username":'],
      ['a duplicate key', '{"a":1,"a":2}'],
      ['a duplicate key in disguise', '{"a":1,"\\u0061":2}'],
      ['__proto__', '{"__proto__":{"x":1}}'],
      ['constructor', '{"constructor":{"prototype":{}}}'],
      ['half a surrogate pair', '{"a":"\\ud800"}'],
      ['nesting 65 deep', `${'['.repeat(65)}${']'.repeat(65)}`],
      ['nesting 100,000 deep', '['.repeat(100_000)],
      ['bytes that are not UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ['a byte order mark', '\ufeff{}'],
    ];
    for (const [what, body] of malformed) {
      const reply = await call(method, path, { ...admin, headers: json, body });
      expect(reply.status, what).toBe(400);
      expect(reply.code, what).toBe('invalid_request');
    }
  });

  test('refuses another content type, and a body without one, with 415', async () => {
    const types: Record<string, string>[] = [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/xml' },
      {},
    ];
    for (const headers of types) {
      const body = new TextEncoder().encode('{}');
      const reply = await call(method, path, { ...admin, headers, body });
      expect(reply.status).toBe(415);
      expect(reply.code).toBe('unsupported_media_type');
    }
  });

  test('refuses a larger body with 413', async () => {
    const reply = await call(method, path, { ...admin, json: { a: 'x'.repeat(limit) } });
    expect(reply.status).toBe(413);
    expect(reply.code).toBe('payload_too_large');
  });
});

test.each(bodied.filter(({ contract }) => contract.bodyKind === undefined))(
  '$method $path refuses a request without a body, and names an unknown property',
  async ({ method, path }) => {
    expect((await call(method, path, admin)).status).toBe(400);
    const reply = await call(method, path, { ...admin, json: { surprise: 1 } });
    expect(reply.status).toBe(400);
    expect(reply.body.data.errors).toContainEqual({ field: 'surprise', message: 'Unknown property' });
  },
);

describe('the gateway', () => {
  test.each([
    ['POST', '/'],
    ['GET', '/api'],
    ['GET', '/api/core/token/user/'],
    ['GET', '/api/core/system/uuid/x'],
    ['POST', '/api/core/token/user'],
    ['HEAD', '/api/core/system/uuid'],
    ['DELETE', '/api/core/account/login'],
    ['GET', '/API/core/system/uuid'],
    ['GET', '/api//core/system/uuid'],
  ])('answers %s %s as an unknown route', async (method, path) => {
    const reply = await call(method, path, admin);
    expect(reply.status).toBe(404);
    if (method !== 'HEAD') expect(reply.text).toBe('{"message":"Not Found"}');
  });

  test('decodes a path parameter once', async () => {
    const reply = await get('/api/core/account/profile/a%2525b', admin);
    expect(reply.code).toBe('invalid_request');
  });
});
