import { expect, test } from 'vitest';
import { contracts } from '#lib/routes';
import { requestOf } from './requests.ts';
import { admin, call, createUser, get } from './service.ts';

test.each(contracts)('$id answers as its contract says', async ({ id, title, headers = {}, response }) => {
  const user = await createUser();
  await user.token('first');
  const [method, path, extra] = requestOf(id, user);
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
