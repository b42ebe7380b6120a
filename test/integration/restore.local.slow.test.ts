import { decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { readAccount, readAccounts } from '#lib/account/account';
import { createAccount } from '#lib/account/create';
import type { Account } from '#lib/item/account';
import { hashPassword, newPassword } from '#lib/password/hash';
import { contracts } from '#lib/routes';
import { passwordKey } from '#lib/table/keys';
import { allUsernames } from '#lib/table/listing';
import { put } from '#lib/table/write';
import { listTokens } from '#lib/token/list';
import { openTarget, type Target } from '../../infra/admin/target.ts';
import { newFolder } from '../unit/support/folder.ts';
import { storedPasskey, storedSession } from '../unit/support/items.ts';
import { giveEveryRole } from './every-role.ts';
import { type InstanceProcess, startInstance } from './instance-process.ts';
import { json } from './operator.ts';
import { publishEarlier } from './publish-earlier.ts';
import { needsDevice } from './requests.ts';
import { restoreTable } from './restored-table.ts';
import { call, noted, succeed } from './service.ts';

/** Rehearses a restore: the table of an instance is copied, changes go on, then the instance adopts the copy. */
const RESTORED = 'restored';
const NAMES = ['ada', 'bob', 'eve'] as const;
const password = noted('the-password-of-the-rehearsal');
const data = newFolder();
let instance: InstanceProcess;
let target: Target;
let admin: { token: string };

const hash = hashPassword(newPassword(password, ''), 10);
async function create(username: string) {
  const { runtime } = target;
  const account = await createAccount(runtime, { username });
  await put(runtime.table, passwordKey(username), { hash: await hash });
  return account;
}

const send = (method: string, path: string, request: object = admin) =>
  call(method, path, { base: instance.ready.url, ...request });
const statusOf = async (credential: { token: string } | { jwt: string }) =>
  (await send('GET', '/api/core/system/ping', credential)).status;
const kidOf = (jwt: string) => decodeProtectedHeader(jwt).kid as string;
const operate = (...args: string[]) => json(args, undefined, ['--data', data]);
const stats = async () => (await send('GET', '/api/core/account/browse?limit=1')).body.data.stats;
async function logIn(username: string): Promise<string> {
  const reply = await send('POST', '/api/core/account/login', { json: { username, password } });
  expect(reply.status, reply.text).toBe(200);
  return noted(reply.body.data.JWTtoken);
}
const makeToken = async (name: string, username: string) =>
  noted((await send('POST', `/api/core/token/create/${name}/${username}`)).body.data.value as string);

/** Credentials from before and after the backup. */
let before: { ada: string; bob: string; kept: string; deleted: string; stats: object };
let after: { bob: string; late: string };

beforeAll(async () => {
  instance = await startInstance({ data, env: { ADMIN_PASSWORD: password } });
  admin = { token: noted(instance.ready.admin.token as string) };
  target = await openTarget({ data });
  await giveEveryRole(target.runtime);
  for (const username of NAMES) await create(username);
  const kept = await makeToken('kept', 'ada');
  before = {
    ada: await logIn('ada'),
    bob: await logIn('bob'),
    kept,
    deleted: await makeToken('deleted', 'ada'),
    stats: await stats(),
  };
  await create('kim');
  await send('POST', '/api/core/account/cancel/kim');
  const eve = await readAccount(target.runtime.table, 'eve');
  await storedPasskey(target.runtime.table, eve as Account);
  await restoreTable(target.runtime.table, RESTORED);
  expect((await send('POST', '/api/core/account/erase/kim')).status).toBe(200);
  expect((await operate('account', 'passkey', 'remove', 'phone', 'eve')).code).toBe(0);

  await publishEarlier(target.runtime.table, (await operate('keys', 'rotate', '--wait')).answer.kid);
  expect((await operate('keys', 'rotate', '--resources', '--wait')).answer.done).toBe(true);
  const signsAnew = async () => kidOf(await logIn('bob')) !== kidOf(before.bob);
  await vi.waitUntil(signsAnew, { timeout: 60_000, interval: 500 });
  after = { bob: await logIn('bob'), late: await makeToken('late', 'bob') };
  await send('GET', '/api/core/account/logout', { jwt: before.ada });
  await send('POST', '/api/core/token/delete/deleted/ada');
  await send('POST', '/api/core/account/lock/eve');
  expect(await Promise.all([statusOf({ jwt: before.ada }), statusOf({ token: before.deleted })])).toEqual([
    401, 401,
  ]);
});

test('restore check --mend completes a restored table', async () => {
  const check = (...args: string[]) => operate('restore', 'check', '--table', RESTORED, ...args);
  const found = await check();
  expect(found).toMatchObject({ code: 1, answer: { code: 'restore_incomplete' } });
  const fields = found.answer.errors.map(({ field }: { field: string }) => field);
  expect(fields).toEqual(expect.arrayContaining(['signing_key', 'resource_key']));
  // An erased account is back: nothing erases it but the command for that.
  const { answer } = await check('--mend');
  expect(answer.errors).toEqual([
    {
      field: 'erased_accounts',
      message: expect.stringMatching(/^kim \(.*\), erased at .* by admin: back and cancelled/),
    },
  ]);
  const again = await operate('restore', 'erase-again', '--table', RESTORED, '--yes');
  expect(again).toMatchObject({ code: 0, answer: { erased: [{ username: 'kim' }], left: [] } });
  expect((await check()).code).toBe(0);
});

describe('the instance that has adopted it', () => {
  beforeAll(async () => {
    await instance.stop();
    const args = ['--no-demo', '--enforce-iam', '--table', RESTORED];
    instance = await startInstance({ data, args });
    target = await openTarget({ data });
    expect(target.runtime.table.name).toBe(RESTORED);
  });

  test('accepts sessions of both keys, and sessions that logout had ended after the backup', async () => {
    expect(kidOf(after.bob)).not.toBe(kidOf(before.bob));
    const sessions = [before.ada, before.bob, after.bob].map((jwt) => statusOf({ jwt }));
    expect(await Promise.all(sessions)).toEqual([200, 200, 200]);
  });

  test('rotates the keys for other services by the policies of the stack', async () => {
    const { code, answer } = await operate('keys', 'rotate', '--resources', '--wait');
    expect({ code, answer }).toMatchObject({ code: 0, answer: { done: true } });
    const listed = (await operate('keys', 'list')).answer as Record<string, string>[];
    const own = listed.filter(({ signs, secret }) => signs === 'resources' && secret === 'own');
    expect(own.filter(({ state }) => state === 'signs')).toHaveLength(1);
    expect(own.find(({ kid }) => kid === answer.kid)?.state).toBe('published');
  });

  test('accepts all passwords, and issues only sessions that it accepts', async () => {
    for (const username of [...NAMES, ...NAMES])
      expect(await statusOf({ jwt: await logIn(username) })).toBe(200);
  });

  test('has the passkeys of the time of the backup, and those that were removed since', async () => {
    expect((await operate('account', 'passkey', 'list', 'eve')).answer).toMatchObject([{ name: 'phone' }]);
    expect((await operate('account', 'passkey', 'remove', 'phone', 'eve')).code).toBe(0);
  });

  test('has the tokens and counts of the time of the backup', async () => {
    const tokens = [before.kept, before.deleted, after.late].map((token) => statusOf({ token }));
    expect(await Promise.all(tokens)).toEqual([200, 200, 401]);
    const { count, locked } = await stats();
    expect({ count, locked }).toEqual({ count: 4, locked: 0 });
    expect(before.stats).toMatchObject({ count, locked });
    await countsAgree();
  });

  test.each(contracts.filter((one) => !needsDevice(one)).map(({ id }) => id))('answers %s', async (id) => {
    const account = await create(`for-${id}`);
    const { username } = account;
    await storedSession(target.runtime.table, account);
    await makeToken('first', username);
    await succeed(id, { username, password }, { ...admin, base: instance.ready.url }, target);
  });
});

/** Compares the counters of the table with its items. */
async function countsAgree() {
  const { table } = target.runtime;
  const names: string[] = [];
  for await (const page of allUsernames(table, 50)) names.push(...page);
  expect((await stats()).count).toBe(names.length);
  for (const account of await readAccounts(table, names)) {
    const { username = '', token_count } = account ?? {};
    expect({ username, tokens: token_count }).toEqual({
      username,
      tokens: (await listTokens(target.runtime, { username })).items.length,
    });
  }
}
