import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assign } from '#lib/table/expressions';
import { erasureKey } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { openTarget } from '../../infra/admin/target.ts';
import { tracesIn, wholeTable } from '../unit/erasure/person.ts';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';
import { type Call, call, noted } from './service.ts';

/** The person: nothing else has these words. */
const NAME = 'zephyrine';
const PHONE = '5550199317';
const REASON = 'caught with a kazoo';

/** Files that are exempt: the audit log, and events that were published. */
const EXEMPT = ['verified.jsonl', 'operators.jsonl', 'events.jsonl'];

test('a local instance has no trace of an erased person in its table, its files and its logs, but for the audit log and published events', async () => {
  const data = newFolder();
  const password = noted('the-password-of-the-erasure');
  let instance = await startInstance({ data, env: { ADMIN_PASSWORD: password } });
  const token = noted(instance.ready.admin.token as string);
  const send = async (method: string, path: string, request: Call = { token }) => {
    const base = instance.ready.url;
    return call(method, `/api/core/${path}`, { base, ...request });
  };
  const post = async (path: string, json?: object, by: object = { token }) => {
    const reply = await send('POST', path, { ...by, ...(json && { json }) } as Call);
    expect(reply.status, reply.text).toBe(200);
    return reply.body.data;
  };
  const username = `${NAME}.quill`;
  const fields = { user_first_name: NAME, phonenumber: PHONE, user_properties: { root: { about: NAME } } };
  const { code } = await post('account/create', {
    username,
    roles: ['sys_tokens'],
    invite_hours: 1,
    ...fields,
  });
  const own = noted('a password with a kazoo');
  await post('account/password', { username, code: noted(code), new_password: own }, {});
  const session = { jwt: noted((await post('account/login', { username, password: own }, {})).JWTtoken) };
  noted((await post(`token/own/laptop-of-${NAME}`, {}, session)).value);
  await send('POST', 'account/login', { json: { username, password: 'wrong' } } as Call);
  await send('POST', 'account/login', { json: { username: PHONE, password: 'wrong' } } as Call);
  await post(`account/lock/${username}`, { reason: REASON });
  await post(`account/unlock/${username}`);
  await post(`account/cancel/${username}`);
  const { userid } = await post(`account/erase/${username}`);
  // The session is of nobody.
  expect((await send('GET', 'system/ping', session as Call)).status).toBe(401);
  expect((await send('GET', `account/profile/${username}`)).status).toBe(404);
  const again = await send('POST', 'account/create', { token, json: { username } } as Call);
  expect(again.body.data.code).toBe('account_erased');

  // Twenty minutes ago.
  const { runtime } = await openTarget({ data });
  const { table } = runtime;
  const erased_at = new Date(Date.now() - 1_200_000).toISOString();
  const entries = async () =>
    (await send('GET', `audit/browse?target=erased:${userid}`)).body.data.items as { action: string }[];
  await expect
    .poll(async () => (await entries()).map(({ action }) => action), { timeout: 30_000 })
    .toContain('account.erase');
  await update(table, { Key: { ...erasureKey(userid) }, ...assign({ erased_at }, {}) });
  await instance.stop();
  // Jobs run at each start.
  instance = await startInstance({ data });
  await expect
    .poll(async () => (await post(`account/erase/${userid}`)).complete, { timeout: 60_000, interval: 500 })
    .toBe(true);

  const { runtime: present } = await openTarget({ data });
  const items = await wholeTable(present);
  for (const text of [NAME, PHONE, REASON]) expect(tracesIn(items, text)).toEqual([]);
  const listed = await entries();
  expect(listed.map(({ action }) => action)).toContain('account.lock');
  for (const text of [NAME, PHONE, REASON]) expect(JSON.stringify(listed)).not.toContain(text);
  await instance.stop();
  // The engine overwrites nothing that it deletes: the next start does.
  instance = await startInstance({ data });
  await instance.stop();
  const files = readdirSync(data).filter((name) => !EXEMPT.includes(name));
  const found = files.flatMap((name) => {
    const content = readFileSync(join(data, name)).toString('latin1').toLowerCase();
    return [NAME, PHONE, REASON].filter((text) => content.includes(text)).map((text) => `${name}: ${text}`);
  });
  expect(found).toEqual([]);
}, 180_000);
