import { decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { readAccounts } from '#lib/account/account';
import { createAccount } from '#lib/account/create';
import { hashPassword, newPassword } from '#lib/password/hash';
import { contracts } from '#lib/routes';
import { passwordKey } from '#lib/table/keys';
import { allUsernames } from '#lib/table/listing';
import { put } from '#lib/table/write';
import { listTokens } from '#lib/token/list';
import { openTarget, type Target } from '../../infra/admin/target.ts';
import { restoreTable } from '../restore/restored-table.ts';
import { newFolder } from './folder.ts';
import { type InstanceProcess, startInstance } from './instance-process.ts';
import { json } from './operator.ts';
import { publishEarlier } from './publish-earlier.ts';
import { requestOf } from './requests.ts';
import { call, noted } from './service.ts';

/**
 * The rehearsal of a restore, in the order of "Backup and restore" of the page on deploying. The table of an instance is
 * copied, life goes on, then the instance adopts the copy.
 */
const RESTORED = 'restored';
const NAMES = ['ada', 'bob', 'eve'] as const;
const password = noted('the-password-of-the-rehearsal');
const data = await newFolder();
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
const operate = (...args: string[]) => json(args, undefined, { where: ['--data', data] });
const stats = async () => (await send('GET', '/api/core/account/browse?limit=1')).body.data.stats;
async function logIn(username: string): Promise<string> {
  const reply = await send('POST', '/api/core/account/login', { json: { username, password } });
  expect(reply.status, reply.text).toBe(200);
  return noted(reply.body.data.JWTtoken);
}
const makeToken = async (name: string, username: string) =>
  noted((await send('POST', `/api/core/token/create/${name}/${username}`)).body.data.value as string);

/** What is held of the time before the backup, and of after it. */
let before: { ada: string; bob: string; kept: string; deleted: string; since: string; stats: object };
let after: { bob: string; late: string };

beforeAll(async () => {
  const env = { ADMIN_PASSWORD: password, Settings__BcryptCost: '10' };
  instance = await startInstance({ data, env });
  admin = { token: noted(instance.ready.admin.token as string) };
  target = await openTarget({ data });
  for (const username of NAMES) await create(username);
  const kept = await makeToken('kept', 'ada');
  const since = new Date().toISOString();
  before = {
    ada: await logIn('ada'),
    bob: await logIn('bob'),
    kept,
    since,
    deleted: await makeToken('deleted', 'ada'),
    stats: await stats(),
  };
  await restoreTable(target.runtime.table, RESTORED);

  await publishEarlier(target.runtime.table, (await operate('keys', 'rotate', '--wait')).answer.kid);
  await vi.waitUntil(async () => kidOf(await logIn('bob')) !== kidOf(before.bob), { timeout: 30_000 });
  after = { bob: await logIn('bob'), late: await makeToken('late', 'bob') };
  await send('GET', '/api/core/account/logout', { jwt: before.ada });
  await send('POST', '/api/core/token/delete/deleted/ada');
  await send('POST', '/api/core/account/lock/eve');
  expect(await Promise.all([statusOf({ jwt: before.ada }), statusOf({ token: before.deleted })])).toEqual([
    401, 401,
  ]);
});

describe('a table that was restored', () => {
  const check = (...args: string[]) => operate('restore', 'check', '--table', RESTORED, ...args);
  const lost = ['time_to_live', 'deletion_protection', 'signing_key'];

  test('is said to lack what a restore loses, and is not changed by that', async () => {
    for (const _ of ['first', 'second']) {
      const { code, answer } = await check();
      expect({ code, answer }).toMatchObject({ code: 1, answer: { code: 'restore_incomplete' } });
      expect(answer.errors.map(({ field }: { field: string }) => field)).toEqual(lost);
    }
  });

  test('is mended, and lacks nothing then', async () => {
    const stateOf = ({ answer }: { answer: { check: string; state: string }[] }, state: string) =>
      answer.filter((finding) => finding.state === state).map(({ check }) => check);
    const mended = await check('--mend');
    expect(mended.code).toBe(0);
    expect(stateOf(mended, 'mended')).toEqual(lost);
    expect(stateOf(mended, 'unknown')).toEqual(['point_in_time_recovery']);
    const checked = await check();
    expect(checked.code).toBe(0);
    expect(stateOf(checked, 'mended')).toEqual([]);
  });

  test('that does not exist is named', async () => {
    const { code, answer } = await operate('restore', 'check', '--table', 'nowhere', '--mend');
    expect({ code, answer }).toMatchObject({ code: 1, answer: { code: 'table_not_found' } });
  });
});

describe('the instance that has adopted it', () => {
  beforeAll(async () => {
    await instance.stop();
    const args = ['--no-demo', '--enforce-iam', '--table', RESTORED];
    instance = await startInstance({ data, args, env: { Settings__BcryptCost: '10' } });
    target = await openTarget({ data });
    expect(target.runtime.table.name).toBe(RESTORED);
  });

  test('takes the sessions of either key, and those that logout had ended', async () => {
    expect(kidOf(after.bob)).not.toBe(kidOf(before.bob));
    expect(await Promise.all([before.ada, before.bob, after.bob].map((jwt) => statusOf({ jwt })))).toEqual([
      200, 200, 200,
    ]);
  });

  test('knows all passwords, and hands out no session that it refuses', async () => {
    for (const username of [...NAMES, ...NAMES])
      expect(await statusOf({ jwt: await logIn(username) })).toBe(200);
  });

  test('takes tokens as they were at the time of the backup', async () => {
    const { kept, deleted } = before;
    expect(await Promise.all([kept, deleted, after.late].map((token) => statusOf({ token })))).toEqual([
      200, 200, 401,
    ]);
  });

  test('counts as at the time of the backup', async () => {
    const { count, locked } = await stats();
    expect({ count, locked }).toEqual({ count: 4, locked: 0 });
    expect(before.stats).toMatchObject({ count, locked });
    await countsAgree();
  });

  test.each(contracts.map(({ id }) => id))('answers %s', async (id) => {
    const { username } = await create(`for-${id}`);
    await makeToken('first', username);
    const [method, path, request] = requestOf(id, { username, password });
    const { status, text } = await send(method, path, { ...admin, ...request });
    expect(status, text).toBe(200);
  });
});

/** What the table counts is what it holds. */
async function countsAgree() {
  const { table } = target.runtime;
  const names: string[] = [];
  for await (const page of allUsernames(table, 50)) names.push(...page);
  expect((await stats()).count).toBe(names.length);
  for (const account of await readAccounts(table, names)) {
    const { username = '', token_count } = account ?? {};
    expect({ username, tokens: token_count }).toEqual({
      username,
      tokens: (await listTokens(table, username)).items.length,
    });
  }
}

describe('after the adoption', () => {
  test('the tokens that were made since a time are revoked at once', async () => {
    const { code, answer } = await operate('token', 'revoke', '--created-since', before.since, '--yes');
    expect(code).toBe(0);
    expect(answer).toMatchObject({ created_since: before.since, changed: true });
    expect(answer.tokens - answer.revoked, 'those of the administrator and of ada').toBe(2);
    expect(await Promise.all([before.kept, before.deleted].map((token) => statusOf({ token })))).toEqual([
      200, 401,
    ]);
    await countsAgree();
    const again = await operate('token', 'revoke', '--created-since', before.since, '--yes');
    expect(again.answer).toMatchObject({ tokens: 2, revoked: 0, changed: false });
  });

  test('all sessions are ended at once, and those of afterwards are not', async () => {
    const { code, answer } = await operate('account', 'reset-stamps', '--yes');
    expect({ code, answer }).toMatchObject({ code: 0, answer: { reset: answer.accounts, changed: true } });
    expect(await Promise.all([before.ada, before.bob, after.bob].map((jwt) => statusOf({ jwt })))).toEqual([
      401, 401, 401,
    ]);
    const jwt = await logIn('ada');
    const again = await operate('account', 'reset-stamps', '--yes', '--before', answer.before);
    expect(again.answer).toMatchObject({ reset: 0, changed: false });
    expect(await statusOf({ jwt })).toBe(200);
    await countsAgree();
  });
});
