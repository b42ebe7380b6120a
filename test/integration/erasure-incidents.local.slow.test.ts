import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { openSecrets } from '#lib/network/secrets';
import { assign } from '#lib/table/expressions';
import { erasureKey } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { openTarget } from '../../infra/admin/target.ts';
import { NAMES } from '../../infra/local/machine/resource-names.ts';
import { newFolder } from '../unit/support/folder.ts';
import { commandsIn } from './articles.ts';
import { startInstance } from './instance-process.ts';
import { restoreTable } from './restored-table.ts';
import { call, noted } from './service.ts';

const PAGE = 'infra/admin/incidents.md';

/** An instance whose tests do what the page says. */
async function openIncident() {
  const data = newFolder();
  let instance = await startInstance({ data });
  const token = noted(instance.ready.admin.token as string);
  const send = (method: string, path: string, json?: object) =>
    call(method, `/api/core/${path}`, { base: instance.ready.url, token, ...(json && { json }) });
  const { runtime } = await openTarget({ data });
  const cwd = newFolder();
  return {
    table: runtime.table,
    send,
    /** The data of a request that succeeds. */
    async post(path: string, json?: object) {
      const { status, body, text } = await send('POST', path, json);
      expect(status, text).toBe(200);
      return body.data;
    },
    /** A request without a credential. */
    request: (path: string, json: object) =>
      call('POST', `/api/core/${path}`, { base: instance.ready.url, json }),
    create: (username: string) => send('POST', 'account/create', { username }),
    async restart() {
      await instance.stop();
      instance = await startInstance({ data });
      await openTarget({ data });
    },
    /** Runs lines of the page in a shell, with values for what they have in angle brackets. */
    async enter(lines: readonly string[], values: Readonly<Record<string, string>> = {}) {
      const text = lines.join('\n').replace(/<(\w+)>/g, (_, name: string) => values[name] ?? `no-${name}`);
      const program = join(import.meta.dirname, '../../infra/admin/main.ts');
      // The engine has no recovery: a test copies the table itself.
      const shell = `set -e\nadmin() { "$NODE" "$PROGRAM" "$@" --data "$DATA"; }\naws() { :; }\n${text}`;
      const env = { ...process.env, NODE: process.execPath, PROGRAM: program, DATA: data };
      return promisify(execFile)('bash', ['-c', shell], { cwd, env });
    },
  };
}

/** Creates, cancels and erases an account. */
async function erase({ post }: Awaited<ReturnType<typeof openIncident>>, username: string) {
  await post('account/create', { username });
  for (const verb of ['cancel', 'erase']) await post(`account/${verb}/${username}`);
}

const KEY = 'The erasure key is lost, or another one';

test('an instance with another erasure key gives no erased name away, and none after the commands of the page', async () => {
  const incident = await openIncident();
  const { create, send, enter, restart } = incident;
  await erase(incident, 'ada');
  expect((await create('ada')).body.data.code).toBe('account_erased');
  // The secret of a former stack.
  const { SecretString: key } = await openSecrets().send(
    new GetSecretValueCommand({ SecretId: NAMES.erasureKey }),
  );
  await openSecrets().send(new CreateSecretCommand({ Name: 'kept', SecretString: noted(`${key}`) }));
  const replace = async (text: string) => {
    await openSecrets().send(
      new PutSecretValueCommand({ SecretId: NAMES.erasureKey, SecretString: noted(text) }),
    );
    // Functions that hold the right key go on.
    await restart();
  };
  const refused = async () => {
    const { status, body, headers } = await create('ada');
    return [status, body.data.code, headers.get('retry-after')];
  };

  await replace('another-erasure-key');
  expect(await refused()).toEqual([503, 'unavailable', '60']);
  await send('POST', 'account/lock/nobody');
  const entries = async () => (await send('GET', 'audit/browse?action=account.lock')).body.data.items.length;
  const [takeBack = '', copy = '', ...goOn] = commandsIn(PAGE, KEY);
  await enter([takeBack, copy], { secret: 'kept' });
  expect((await create('ada')).body.data.code).toBe('account_erased');
  // The entries that waited are stored.
  await expect.poll(entries, { timeout: 30_000, interval: 500 }).toBe(1);

  // Two versions later, the former one is another key, too.
  for (const text of ['a-third-erasure-key', 'a-fourth-erasure-key']) await replace(text);
  await expect(enter([takeBack])).rejects.toThrow('erasure_key_differs');
  expect((await refused())[0]).toBe(503);
  await enter([copy], { secret: 'kept' });
  expect((await create('ada')).body.data.code).toBe('account_erased');

  // Lost, so that no version has it.
  for (const text of ['a-fifth-erasure-key', 'a-sixth-erasure-key']) await replace(text);
  expect((await refused())[0]).toBe(503);
  const { stderr } = await enter(goOn);
  expect(stderr).toContain('are free from now on');
  expect((await create('ada')).body.data.code).toBe('account_erased');
  expect((await create('bob')).status).toBe(200);
}, 180_000);

const ERASED = 'The wrong account was erased';

test('an account that was cancelled by mistake is back, and one that was erased has a successor, as the page says', async () => {
  const incident = await openIncident();
  const { table, create, request, send, post, enter, restart } = incident;
  const [back = '', ...anew] = commandsIn(PAGE, ERASED);
  await post('team/create/ops', { name: 'Operations', type: 'internal' });
  const profile = { username: 'ada', user_first_name: 'Ada', teams: ['ops'], roles: ['editor'] };
  await post('account/create', { ...profile, user_properties: { root: { a: 1 } } });
  await restoreTable(table, 'copy-of-ada');

  await post('account/cancel/ada');
  await enter([back], { account: 'ada' });
  expect((await send('GET', 'account/profile/ada')).body.data.user.isactive).toBe(true);

  await post('account/cancel/ada');
  const { userid } = await post('account/erase/ada');
  const values = { account: 'ada', copy: 'copy-of-ada', table: table.name, time: 'then' };
  // The name is free only once nothing of the person is left.
  await expect(enter(anew, values)).rejects.toThrow();
  expect((await create('ada')).body.data.code).toBe('account_erased');
  const erased_at = new Date(Date.now() - 1_200_000).toISOString();
  await update(table, { Key: { ...erasureKey(userid) }, ...assign({ erased_at }, {}) });
  await restart();
  const isComplete = async () => (await post(`account/erase/${userid}`)).complete;
  await expect.poll(isComplete, { timeout: 60_000, interval: 500 }).toBe(true);

  const { stdout } = await enter(anew, values);
  const code = /^\S{4}-\S{4}-\S{4}$/m.exec(stdout)?.[0] ?? JSON.stringify(stdout);
  const { user, teams, roles } = (await send('GET', 'account/profile/ada')).body.data;
  expect(user).toMatchObject({ user_first_name: 'Ada', isactive: true });
  expect([teams.length, JSON.stringify(roles)]).toEqual([1, expect.stringContaining('editor')]);
  // The ID stays that of the erased account.
  expect(await isComplete()).toBe(true);
  expect((await send('POST', 'account/erase/ada')).body.data.code).toBe('account_active');
  const password = noted('a password of the successor');
  const used = await request('account/password', {
    username: 'ada',
    code: noted(code),
    new_password: password,
  });
  expect(used.status, used.text).toBe(200);
}, 180_000);
