import { expect, test } from 'vitest';
import { document } from '../openapi/checked.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { call, get } from './service.ts';

const PATH = '/api/core/openapi.json';

test('the OpenAPI document is public, the one of the contracts, and kept for five minutes', async () => {
  const reply = await get(PATH, { headers: { 'accept-encoding': 'identity' } });
  expect(JSON.parse(reply.text)).toEqual(document);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=300',
    vary: 'Accept-Encoding',
  });
});

test('it comes compressed, and not again to who has it', async () => {
  const first = await get(PATH, { headers: { 'accept-encoding': 'gzip' } });
  expect(first.headers.get('content-encoding')).toBe('gzip');
  expect(Number(first.headers.get('content-length'))).toBeLessThan(60_000);
  const etag = first.headers.get('etag') as string;
  const again = await get(PATH, { headers: { 'if-none-match': etag, 'accept-encoding': 'identity' } });
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  expect((await get(PATH, { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200);
});

test('a credential, good or bad, makes no difference', async () => {
  expect((await get(PATH, { headers: { authorization: 'Bearer x' } })).status).toBe(200);
});

test('an answer that the document does not tell fails the test that gets it', async () => {
  const { paths } = document;
  const ping = paths['/api/core/system/ping']?.['get'] as { responses: Record<string, unknown> };
  const { 401: told, ...others } = ping.responses;
  ping.responses = others;
  await expect(call('GET', '/api/core/system/ping')).rejects.toThrow('system.ping.get does not answer 401');
  ping.responses = { ...others, 401: told };
  expect((await call('GET', '/api/core/system/ping')).status).toBe(401);
});

test('an instance may keep it to itself', async () => {
  const { ready } = await startInstance({
    data: await newFolder(),
    env: { Settings__Docs: 'false', Settings__BcryptCost: '10' },
  });
  const reply = await get(PATH, { base: ready.url });
  expect([reply.status, reply.code]).toEqual([404, 'docs_not_found']);
  expect(reply.headers.get('cache-control')).toBe('no-store');
});
