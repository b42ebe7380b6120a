import { expect, test } from 'vitest';
import { contracts } from '#lib/routes';
import { admin, type Call, call, createUser, get, type User } from './service.ts';

/** A request of every endpoint that succeeds. */
const requests: Record<string, (user: User) => [string, string, Call?]> = {
  'token.list-own': () => ['GET', '/api/core/token/user'],
  'token.browse': () => ['GET', '/api/core/token/browse'],
  'token.list-user': ({ username }) => ['GET', `/api/core/token/user/${username}`],
  'token.create': ({ username }) => ['POST', `/api/core/token/create/second/${username}`],
  'token.create-login-token': () => ['POST', '/api/core/token/create/logintoken'],
  'token.delete': ({ username }) => ['POST', `/api/core/token/delete/first/${username}`],
  'account.profile': ({ username }) => ['GET', `/api/core/account/profile/${username}`],
  'account.profile-update': () => ['POST', '/api/core/account/profile-update', { json: {} }],
  'account.browse': () => ['GET', '/api/core/account/browse'],
  'account.copy': ({ username }) => ['POST', `/api/core/account/copy/admin/${username}`],
  'account.lock': ({ username }) => ['POST', `/api/core/account/lock/${username}`],
  'account.unlock': ({ username }) => ['POST', `/api/core/account/unlock/${username}`],
  'account.cancel': ({ username }) => ['POST', `/api/core/account/cancel/${username}`],
  'account.reactivate': ({ username }) => ['POST', `/api/core/account/reactivate/${username}`],
  'account.context': ({ username }) => ['POST', `/api/core/account/context/core/${username}`],
  'account.login': ({ username, password }) => [
    'POST',
    '/api/core/account/login',
    { json: { username, password } },
  ],
  'account.logout': () => ['GET', '/api/core/account/logout'],
  'system.info': () => ['GET', '/api/core/system?setup=true'],
  'system.preview': () => ['POST', '/api/core/system/preview', { json: { painput: '# Hello' } }],
  'system.uuid': () => ['GET', '/api/core/system/uuid'],
  'system.uuids': () => ['GET', '/api/core/system/uuids?n=3'],
  'system.ping': () => ['POST', '/api/core/system/ping', { json: { a: [1] } }],
  'system.jwks': () => ['GET', '/api/core/system/jwks'],
};

test.each(contracts)('$id answers as its contract says', async ({ id, title, headers = {}, response }) => {
  const user = await createUser();
  await user.token('first');
  const request = requests[id];
  if (!request) throw new Error(`No request for ${id}`);
  const [method, path, extra] = request(user);
  const reply = await call(method, path, { ...admin, ...extra });

  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers.get('x-request-id')).toBeTruthy();
  for (const [name, value] of Object.entries(headers)) expect(reply.headers.get(name)).toBe(value);
  const payload = title === undefined ? (reply.body ?? reply.text) : reply.body.data;
  expect(response().safeParse(payload).error).toBeUndefined();
  if (title !== undefined) {
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(reply.body)).toEqual(['success', 'message', 'requestID', 'executed_at', 'data']);
    expect(reply.body).toMatchObject({ success: true, message: title });
    expect(reply.body.requestID).toBe(reply.headers.get('x-request-id'));
    expect(reply.body.executed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  }
});

test('an answer is compressed only where the client accepts it and it is above 1 KiB', async () => {
  const compressed = await get('/api/core/account/browse', {
    ...admin,
    headers: { 'accept-encoding': 'gzip' },
  });
  const plain = await get('/api/core/account/browse', {
    ...admin,
    headers: { 'accept-encoding': 'gzip;q=0' },
  });
  const small = await get('/api/core/account/browse?limit=1', {
    ...admin,
    headers: { 'accept-encoding': 'gzip' },
  });
  expect(compressed.headers.get('content-encoding')).toBe(compressed.text.length > 1024 ? 'gzip' : null);
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(small.text.length).toBeLessThan(1024);
  expect(small.headers.get('content-encoding')).toBeNull();
});
