import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { PER_NAME, PER_PAIR } from '#lib/login/attempts';
import { contracts, functions, needsOf } from '#lib/routes';
import { accountKey, attemptsOfPairKey, attemptsOnNameKey } from '#lib/table/keys';
import { put, update } from '#lib/table/write';
import { withoutZone } from '#lib/time';
import { openTarget } from '../../infra/admin/target.ts';
import { requestOf } from './requests.ts';
import { type Call, call, noted } from './service.ts';
import { startWatchedInstance } from './watched-instance.ts';

let watched: Awaited<ReturnType<typeof startWatchedInstance>>;

beforeAll(async () => {
  watched = await startWatchedInstance({ delayMs: 0 });
});

afterAll(() => watched.stop());

test('every function is granted what it does, whichever way a request takes', async () => {
  const { proxy, instance } = watched;
  const { runtime } = await openTarget(watched);
  const password = noted('the-password-of-the-grants');
  for (const username of ['one', 'two'])
    await createAccount(runtime, { username, password, roles: ['sys_tokens'] });
  const base = instance.ready.url;
  const admin: Call = { token: noted(instance.ready.admin.token as string), base };
  const login = (username: string, secret: string) =>
    call('POST', '/api/core/account/login', { base, json: { username, password: secret } });
  // Its first login of the day, with a password of another cost, and beside others.
  await update(runtime.table, {
    Key: accountKey('one'),
    UpdateExpression: 'SET lastActivity = :then',
    ExpressionAttributeValues: { ':then': withoutZone(Date.now() - 3 * 86_400_000) },
  });
  const logins = await Promise.all(Array.from({ length: 8 }, () => login('one', password)));
  const jwt = noted(logins.find(({ status }) => status === 200)?.body.data.JWTtoken as string);
  const session: Call = { jwt, base };
  const post = (path: string, request: Call = admin) => call('POST', `/api/core/${path}`, request);
  const get = (path: string, request: Call = admin) => call('GET', `/api/core/${path}`, request);

  const attempts = Array.from({ length: PER_NAME.max - 1 }, (_, n) => ({
    id: `${n}`,
    at: Date.now(),
    from: `${n}`,
  }));
  await put(runtime.table, attemptsOnNameKey('two'), { attempts, revision: 1 });
  for (let n = 0; n < 6; n++) await login('two', 'wrong-password');
  await post('account/unlock/two');
  await login('two', password);
  const { value } = (await post('token/create/fresh/one')).body.data;
  await login('api', noted(value as string));
  const pending = { at: Date.now() - 14_800, from: '127.0.0.1', pending: true } as const;
  const waitedFor = Array.from({ length: PER_PAIR.max }, (_, n) => ({ ...pending, id: `${n}` }));
  await put(runtime.table, attemptsOfPairKey('three', '127.0.0.1'), { attempts: waitedFor, revision: 1 });
  expect((await login('three', 'wrong-password')).status).toBe(429);
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
  for (const { id } of contracts) {
    const [method, path, request] = requestOf(id, { username: 'two', password });
    await call(method, path, { ...admin, ...request });
  }
  await proxy.settled();

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
