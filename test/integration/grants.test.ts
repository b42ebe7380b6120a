import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { FROM_ANYWHERE } from '#lib/auth/tries';
import { contracts, functions, needsOf } from '#lib/routes';
import { triesKey } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { openTarget } from '../../infra/admin/target.ts';
import { startEngine } from '../../infra/local/engine.ts';
import { openProxy } from './dynamodb-proxy.ts';
import { type Instance, startInstance } from './instance.ts';
import { type Call, call, noted } from './service.ts';

/** An instance of its own, whose calls of DynamoDB are recorded with the function that makes them. */
const data = await mkdtemp(join(tmpdir(), 'core-account-grants-'));
let engine: Awaited<ReturnType<typeof startEngine>>;
let proxy: Awaited<ReturnType<typeof openProxy>>;
let instance: Instance;

beforeAll(async () => {
  engine = await startEngine();
  proxy = await openProxy(engine.url, 0);
  instance = await startInstance({
    data,
    env: { AWS_ENDPOINT_URL_DYNAMODB: proxy.url, Settings__BcryptCost: '10' },
  });
});

afterAll(async () => {
  await instance.stop();
  proxy.close();
  await engine.close();
  await rm(data, { recursive: true });
});

test('every function is granted what it does, whichever way a request takes', async () => {
  const { runtime } = await openTarget({ data });
  const password = noted('the-password-of-the-grants');
  for (const username of ['one', 'two'])
    await createAccount(runtime, { username, password, roles: ['sys_tokens'] });
  const base = instance.ready.url;
  const admin: Call = { token: noted(instance.ready.admin.token as string), base };
  const login = (username: string, secret: string) =>
    call('POST', '/api/core/account/login', { base, json: { username, password: secret } });
  const jwt = noted((await login('one', password)).body.data.JWTtoken as string);
  const session: Call = { jwt, base };
  const post = (path: string, request: Call = admin) => call('POST', `/api/core/${path}`, request);
  const get = (path: string, request: Call = admin) => call('GET', `/api/core/${path}`, request);

  const tries = Array.from({ length: FROM_ANYWHERE.max - 1 }, (_, n) => ({
    id: `${n}`,
    at: Date.now(),
    from: `${n}`,
  }));
  await put(runtime.table, { Item: { ...triesKey('two'), tries, revision: 1 } });
  for (let n = 0; n < 6; n++) await login('two', 'wrong-password');
  await post('account/unlock/two');
  await login('two', password);
  await login('api', admin.token as string);
  for (const verb of ['lock', 'lock', 'unlock', 'unlock', 'cancel', 'cancel', 'reactivate', 'reactivate'])
    await post(`account/${verb}/two`);
  await post('account/copy/one/two');
  await post('account/context/core/two');
  const json = { user_first_name: 'A', user_properties: { a: 1 } };
  await post('account/profile-update', { ...session, json });
  await post('account/profile-update', { ...admin, json: { username: 'one', user_last_name: 'B' } });
  await get('account/profile', session);
  await get('account/profile/one');
  for (const path of ['account/browse', 'token/browse']) {
    const { next_cursor } = (await get(`${path}?limit=1`)).body.data;
    await get(`${path}?cursor=${next_cursor}`);
  }
  for (let n = 0; n < 2; n++) await post('token/create/logintoken', session);
  await post('token/create/ci/one');
  await get('token/user', session);
  await get('token/user/one');
  await post('token/delete/ci/one');
  await post('system/preview', { ...session, json: { painput: 'x' } });
  for (const path of ['system', 'system/uuid', 'system/uuids?n=1', 'system/ping', 'system/jwks'])
    await get(path, session);
  await get('account/logout', session);
  await sleep(100);

  const done = new Map(functions.map(({ id }) => [id as string, new Set<string>()]));
  for (const { sender, needs } of proxy.commands)
    for (const need of needs) if (sender !== undefined) done.get(sender)?.add(need);
  const missing = functions.flatMap((definition) => {
    const granted = new Set<string>(needsOf(definition));
    return [...(done.get(definition.id) ?? [])].flatMap((need) =>
      granted.has(need) ? [] : `${definition.id} ${need}`,
    );
  });
  expect(missing, 'done without a grant').toEqual([]);
  const unused = contracts.flatMap(({ id, needs }) =>
    needs.flatMap((need) =>
      /^(table|index):/.test(need) && !done.get(id)?.has(need) ? `${id} ${need}` : [],
    ),
  );
  expect(unused, 'granted and never done').toEqual([]);
});
