import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAccount } from '#lib/account/account';
import { contracts } from '#lib/routes';
import { assign } from '#lib/table/expressions';
import { erasureKey } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { openTarget } from '../../infra/admin/target.ts';
import { tracesIn, wholeTable } from '../unit/erasure/person.ts';
import { newFolder } from '../unit/support/folder.ts';
import { storedPasskey } from '../unit/support/items.ts';
import { type FreeText, filled, freeTextsOf, isIdentity } from './free-texts.ts';
import { startInstance } from './instance-process.ts';
import { needsDevice, partsOf, preparationOf, samplesOf } from './requests.ts';
import { type Call, call, noted } from './service.ts';

/** The person: nothing else has these words. */
const NAME = 'zephyrine';
const PHONE = '5550199317';
const REASON = 'caught with a kazoo';

/** Files that are exempt: the audit log, and events that were published. */
const EXEMPT = ['verified.jsonl', 'operators.jsonl', 'events.jsonl'];

/** Lines of the audit log, which pass through the log of functions. */
const AUDIT_LINES = /^\{"level":"audit".*$/gm;

/** Contracts that end the account, or whose texts are of others. */
const APART = ['account.create', 'account.erase', 'team.create', 'team.delete', 'team.rename'];

/** Names of roles stay in audit entries: who could do what, and since when. */
const isRole = ({ path }: FreeText) => path.includes('roles');

/** The forms of a free text that the person has: a word, a number, and an address. */
const FORMS = [`${NAME}-of-kazoo`, NAME, `+49${PHONE}`, `https://${NAME}.example/`, `${NAME}@example.com`];

/** Some of the texts that a contract accepts, which the search would lack if it found no others. */
const FILLED = [
  'account.lock body reason',
  'account.profile-update body user_last_name',
  'account.passkey-delete params passkey_name',
  'token.create params token_name',
  'token.create body description',
  'audit.browse query actor',
];

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
  let tokens = 0;
  /** A new token of a person, since requests may end all. */
  const tokenOf = async (who: string) =>
    noted((await post(`token/create/by-${++tokens}/${who}`)).value as string);

  /** Sends a request for each free text of each contract about a person, or by the person; answers those that succeeded. */
  async function fillAll(who: string, secret: string): Promise<string[]> {
    const accepted: string[] = [];
    for (const contract of contracts) {
      if (APART.includes(contract.id) || (needsDevice(contract) && contract.id !== 'account.passkey-delete'))
        continue;
      const names = { username: who, password: secret };
      const sample = samplesOf(contract.id)[0];
      for (const text of freeTextsOf(contract).filter((one) => !isIdentity(one) && !isRole(one))) {
        const { route, params, query, json } = { json: undefined, ...partsOf(contract.id, names, sample) };
        const value = filled(contract, { params, query, body: json }, text, FORMS);
        if (value === undefined) continue;
        const parts = { params, query, body: json, [text.place]: value } as {
          params: Record<string, string>;
          query: Record<string, string>;
          body: unknown;
        };
        for (const [method, path, content] of preparationOf(contract.id, names, sample))
          await send(method, path.replace('/api/core/', ''), { token, ...content } as Call);
        const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(`${parts.params[name]}`),
        );
        const search = new URLSearchParams(parts.query).toString();
        const body = parts.body === undefined ? {} : { json: parts.body };
        const by = JSON.stringify([route.path, parts.body]).includes('username') ? token : await tokenOf(who);
        const reply = await send(route.method, `${path.replace('/api/core/', '')}${search && `?${search}`}`, {
          token: by,
          ...body,
        } as Call);
        if (reply.status < 400) accepted.push([contract.id, text.place, text.path.join('.')].join(' '));
        // Each request is about an active account.
        for (const verb of ['unlock', 'reactivate']) await send('POST', `account/${verb}/${who}`);
      }
    }
    return accepted;
  }
  // The team of a sample has the last 27 characters of it, and stays.
  const username = `${NAME}.of-the-long-quills-of-nobody`;
  const fields = { user_first_name: NAME, phonenumber: PHONE, user_properties: { root: { about: NAME } } };
  const { code } = await post('account/create', {
    username,
    roles: ['sys_tokens', 'sys_administrator'],
    invite_hours: 1,
    ...fields,
  });
  const own = noted('a password with a kazoo');
  await post('account/password', { username, code: noted(code), new_password: own }, {});
  const session = { jwt: noted((await post('account/login', { username, password: own }, {})).JWTtoken) };
  noted((await post(`token/own/laptop-of-${NAME}`, {}, session)).value);
  await send('POST', 'account/login', { json: { username, password: 'wrong' } } as Call);
  await send('POST', 'account/login', { json: { username: PHONE, password: 'wrong' } } as Call);
  // Only a device could enrol one over HTTP.
  const { runtime: beforehand } = await openTarget({ data });
  const holder = await readAccount(beforehand.table, username);
  if (holder) await storedPasskey(beforehand.table, holder, undefined, undefined, FORMS[0]);
  const accepted = await fillAll(username, own);
  // The search is of what it should be: one of each place, and of each way of being stored.
  for (const known of FILLED) expect(accepted).toContain(known);
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
    const content = readFileSync(join(data, name)).toString('latin1').replace(AUDIT_LINES, '').toLowerCase();
    return [NAME, PHONE, REASON].filter((text) => content.includes(text)).map((text) => `${name}: ${text}`);
  });
  expect(found).toEqual([]);
}, 180_000);
