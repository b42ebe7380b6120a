import { writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Password } from '#lib/item/account';
import { formerPasswordKey, passwordCostKey, passwordKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { listTokens } from '#lib/token/list';
import { setAttributes } from '../support/set-attributes.ts';
import { openInstance } from './operator.ts';

const it = await openInstance({ Events: 'user_lock,token_create' });
const { run, json, account, table, runtime, stored } = it;
const OPERATOR = `operator:${userInfo().username.toLowerCase()}`;

const tokenOf = async (owner: Awaited<ReturnType<typeof account>>, name: string) =>
  createToken(runtime, await stored(owner), name, { by: 'admin', requestId: 'r' });
const tokenNames = async (username: string) =>
  (await listTokens(table, username)).items.map(({ name }) => name);

let series = 0;
let username: string;
beforeEach(() => {
  username = `ada-${series++}`;
});

describe('account', () => {
  test('create fills in the fields that the options name', async () => {
    const [crm, ops] = [await it.team(`CRM-${username}`), await it.team(`OPS-${username}`)];
    const { answer } = await json(
      [
        ...['account', 'create', username, '--first-name', 'Grace', '--last-name', 'Hopper', '--phone', '1'],
        ...['--currency', 'USD', '--color', '#102030', '--short', 'X', '--no-lockout', '--password-stdin'],
        ...['--app', 'crm', '--app', 'core', '--role', 'r1', '--role', 'sys_admin', '--force'],
        ...['--team', crm.team_short, '--team', ops.team_short],
      ],
      'correct horse\n',
    );
    expect(answer).toMatchObject({
      username,
      user_first_name: 'Grace',
      roles: 2,
      teams: 2,
      lockoutenabled: false,
    });
    expect(await stored({ username })).toMatchObject({
      user_last_name: 'Hopper',
      phonenumber: '1',
      user_currency: 'USD',
      user_color: '#102030',
      user_short: 'X',
      user_app_name: 'crm',
      apps: ['crm', 'core'],
      roles: ['r1', 'sys_admin'],
      team_id: crm.team_id,
    });
    expect(await get(table, passwordKey(username))).toMatchObject({
      hash: expect.stringMatching(/^\$2b\$10\$/),
    });
  });

  test('create has defaults, no password, and shows people the memberships', async () => {
    const { code, stdout, stderr } = await run(['account', 'create', username]);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^username +ada-\d+$/m);
    expect(stderr).toMatch(/^roles +\(none\)$/m);
    expect(stderr).toMatch(/^apps +core$/m);
    expect(stderr).toMatch(/^cancelled_at +null$/m);
    expect(await stored({ username })).toMatchObject({ user_currency: 'EUR', lockoutenabled: true });
    expect(await get(table, passwordKey(username))).toBeUndefined();
  });

  test('create and password prompt for a password on a terminal', async () => {
    const typing = () => {
      const input = Object.assign(new PassThrough(), { isTTY: true });
      for (const [index, text] of ['correct horse\r', 'correct horse\r'].entries())
        setTimeout(() => input.write(text), 100 * (index + 1));
      return input;
    };
    expect((await run(['account', 'create', username, '--password'], typing())).code).toBe(0);
    const before = await get(table, passwordKey(username));
    expect(before).toBeDefined();
    expect((await run(['account', 'password', username], typing())).stderr).toContain('Repeat: \n');
    expect(await get(table, passwordKey(username))).not.toEqual(before);
  });

  test('password and reset-stamp end the sessions', async () => {
    const { stamp } = await account({ username });
    expect((await json(['account', 'password', username, '--password-stdin'], 'correct horse')).code).toBe(0);
    const second = (await stored({ username })).stamp;
    expect((await json(['account', 'reset-stamp', username])).answer).toMatchObject({ username });
    expect(new Set([stamp, second, (await stored({ username })).stamp]).size).toBe(3);
  });

  test('add and remove change all three memberships', async () => {
    await account({ username, roles: ['r1'], apps: ['core', 'crm'] });
    const { team_short } = await it.team(`T-${username}`);
    const options = ['--role', 'r2', '--app', 'x', '--team', team_short];
    expect((await json(['account', 'add', username, ...options])).answer).toMatchObject({
      roles: 2,
      teams: 1,
    });
    expect(await stored({ username })).toMatchObject({ roles: ['r1', 'r2'], apps: ['core', 'crm', 'x'] });
    expect((await json(['account', 'remove', username, ...options])).answer).toMatchObject({
      roles: 1,
      teams: 0,
    });
    expect((await run(['account', 'add', username, '--app', 'only'])).code).toBe(0);
    expect((await run(['account', 'remove', username, '--role', 'r1'])).code).toBe(0);
    expect((await json(['account', 'show', username])).answer).toMatchObject({ username, roles: 0 });
  });

  test('lock, unlock, lockout, cancel and reactivate change the state in the name of the operator', async () => {
    const owner = await account({ username });
    await tokenOf(owner, 'kept');
    expect((await json(['account', 'lock', username])).answer).toMatchObject({
      islocked: true,
      changed: true,
    });
    expect((await json(['account', 'lock', username])).answer).toMatchObject({ changed: false });
    expect((await json(['account', 'unlock', username])).answer).toMatchObject({
      islocked: false,
      changed: true,
    });
    const lockout = async (state: string) => (await json(['account', 'lockout', username, state])).answer;
    expect(await lockout('off')).toMatchObject({ lockoutenabled: false });
    expect(await lockout('on')).toMatchObject({ lockoutenabled: true });
    expect((await json(['account', 'cancel', username])).answer.code).toBe('not_confirmed');
    const cancelled = await run(['account', 'cancel', username, '--yes', '--json']);
    expect(cancelled.stderr).toContain(
      `Cancelling ${username} ends its sessions, disables its password and its API tokens (1)`,
    );
    expect(JSON.parse(cancelled.stdout)).toMatchObject({ isactive: false, cancelled_by: OPERATOR });
    expect((await json(['account', 'reactivate', username])).answer).toMatchObject({ tokens_revived: 1 });
    await run(['account', 'cancel', username, '--yes']);
    expect((await json(['account', 'reactivate', username, '--revoke-tokens'])).answer).toMatchObject({
      isactive: true,
      tokens_revoked: 1,
    });
    expect(
      it.audited().map(({ action, outcome, changed }) => [action.split(' ').at(-1), outcome, changed]),
    ).toEqual([
      ['lock', 'ok', true],
      ['lock', 'ok', false],
      ['unlock', 'ok', true],
      ['lockout', 'ok', true],
      ['lockout', 'ok', true],
      ['cancel', 'not_confirmed', false],
      ['cancel', 'ok', true],
      ['reactivate', 'ok', true],
      ['cancel', 'ok', true],
      ['reactivate', 'ok', true],
    ]);
  });

  test('move-passwords and password-costs work on the hashes of all accounts', async () => {
    await account({ username });
    const hash = '$2b$11$abcdefghijklmnopqrstuv';
    await put(table, formerPasswordKey(username), { hash });
    expect((await json(['account', 'move-passwords'])).answer).toEqual({ moved: 1 });
    expect((await get(table, passwordKey(username))) as Password).toMatchObject({ hash });
    expect((await json(['account', 'password-costs'])).answer).toContainEqual({ cost: 11, passwords: 1 });
    expect((await run(['account', 'password-costs'])).stderr).toMatch(/cost +11\npasswords +1$/m);
    expect(await get(table, passwordCostKey)).toMatchObject({ cost: 11 });
  });

  test('list applies each option, over all pages', async () => {
    const { team_short } = await it.team(`L-${username}`);
    const role = `role-of-${username}`;
    const names = Array.from({ length: 120 }, (_, n) => `${username}-${n}`);
    await run([
      'import',
      it.fileOf(
        'many.jsonl',
        names.map((name) => ({ username: name, roles: [role] })),
      ),
    ]);
    const [first = '', second = '', third = ''] = names;
    await run(['account', 'add', first, '--team', team_short, '--app', 'crm']);
    await run(['account', 'lock', second]);
    await run(['account', 'cancel', third, '--yes']);
    const list = async (...options: string[]) =>
      (await json(['account', 'list', '--role', role, ...options])).answer.map(
        (item: { username: string }) => item.username,
      );
    expect((await list()).toSorted()).toEqual(names.toSorted());
    expect(await list('--team', team_short)).toEqual([first]);
    expect(await list('--app', 'crm')).toEqual([first]);
    expect(await list('--q', `${username}-1`, '--state', 'locked')).toEqual([second]);
    expect(await list('--state', 'cancelled')).toEqual([third]);
    expect(await list('--cancelled-since', '1h')).toEqual([third]);
    expect(await list('--never-used')).toHaveLength(120);
    await setAttributes(table, await stored({ username: first }), { never_used: false });
    expect(await list('--never-used')).toHaveLength(119);
    expect(await list('--inactive-since', '1h')).toEqual([]);
    expect(await list('--inactive-since', '2099-01-01')).toHaveLength(120);

    const lines = async (...options: string[]) =>
      (await run(['account', 'list', '--role', role, ...options])).stderr;
    expect(await lines('--state', 'locked')).toMatch(new RegExp(`^\\S+Z  ${second}  locked\n$`));
    expect(await lines('--state', 'cancelled')).toMatch(new RegExp(`Z  ${third}  cancelled\n$`));
    expect(await lines('--cancelled-since', '1h')).toMatch(new RegExp(`^\\S+Z  ${third}  ${OPERATOR}\n$`));
    expect(await lines('--team', 'nothing')).toBe('(none)\n');
  });

  test('reset-stamps changes the stamps from before a time, after a confirmation', async () => {
    const { stamp } = await account({ username });
    const refused = await run(['account', 'reset-stamps', '--json']);
    expect(JSON.parse(refused.stdout).code).toBe('not_confirmed');
    expect(refused.stderr).toMatch(/^All sessions of \d+ accounts? in the table test-.*--before \S+Z\.$/m);
    const old = await json(['account', 'reset-stamps', '--yes', '--before', '2001-01-01']);
    expect(old.answer).toMatchObject({ reset: 0, changed: false, before: '2001-01-01T00:00:00.000Z' });
    expect((await stored({ username })).stamp).toBe(stamp);
    const { answer } = await json(['account', 'reset-stamps', '--yes']);
    expect(answer).toMatchObject({ changed: true, reset: answer.accounts });
    expect((await stored({ username })).stamp).not.toBe(stamp);
    expect(it.audited().map(({ outcome, changed }) => [outcome, changed])).toEqual([
      ['started', null],
      ['not_confirmed', false],
      ['started', null],
      ['ok', false],
      ['started', null],
      ['ok', true],
    ]);
  });
});

describe('token', () => {
  test('create prints the secret alone on standard output, and with --json as value', async () => {
    await account({ username });
    const { stdout, stderr } = await run(['token', 'create', 'ci', username]);
    expect(stdout).toMatch(/^cst_[A-Za-z0-9]{36}\n$/);
    expect(stderr).not.toContain(stdout.trim());
    expect(stderr).toMatch(new RegExp(`^token_created_by +${OPERATOR}$`, 'm'));
    expect((await json(['token', 'create', 'cd', username])).answer).toMatchObject({
      username,
      name: 'cd',
      value: expect.stringMatching(/^cst_/),
    });
    expect(it.bus.calls.flat().map(({ DetailType }) => DetailType)).toEqual(['token_create', 'token_create']);
  });

  test('create answers the secret although the bus is out of reach', async () => {
    await account({ username });
    it.describeInstance({ events: 'http://127.0.0.1:9' });
    const { stdout, stderr } = await run(['token', 'create', 'ci', username]);
    expect(stdout).toMatch(/^cst_[A-Za-z0-9]{36}\n$/);
    expect(stderr).toContain('The bus cannot be reached');
  });

  test('list and delete work on the tokens of one account', async () => {
    const owner = await account({ username });
    for (const name of ['a', 'b']) await tokenOf(owner, name);
    const listed = (await json(['token', 'list', username])).answer;
    expect(listed.map(({ name, value }: { name: string; value: null }) => [name, value])).toEqual([
      ['a', null],
      ['b', null],
    ]);
    expect((await run(['token', 'list', username])).stderr).toMatch(
      /^a {2}made 2026-11-20T12:00:00\.000Z by admin, last used \S+Z\nb/,
    );
    expect((await json(['token', 'delete', 'a', username])).answer).toEqual({ username, name: 'a' });
    expect(await tokenNames(username)).toEqual(['b']);
  });

  test('revoke --all deletes the tokens of one account, after a confirmation', async () => {
    const [owner, other] = [await account({ username }), await account()];
    await tokenOf(owner, 'a');
    await tokenOf(other, 'kept');
    const refused = await run(['token', 'revoke', '--all', username]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`Deleting 1 token of ${username}.`),
    ]);
    const revoke = async () => (await json(['token', 'revoke', '--all', username, '--yes'])).answer;
    expect(await revoke()).toEqual({ username, tokens: 1, revoked: 1, changed: true });
    expect(await revoke()).toEqual({ username, tokens: 0, revoked: 0, changed: false });
    expect(await tokenNames(other.username)).toEqual(['kept']);
  });

  test('revoke --created-since deletes the tokens of all accounts from that time on', async () => {
    const owner = await account({ username });
    await tokenOf(owner, 'before');
    it.clock.time = Date.UTC(2099, 0, 2);
    await tokenOf(owner, 'late');
    const args = ['token', 'revoke', '--created-since', '2099-01-02'];
    const { stderr } = await run(args);
    expect(stderr).toMatch(
      /Deleting 1 of \d+ tokens in the table test-.*created at 2099-01-02T00:00:00.000Z or later/,
    );
    expect((await json([...args, '--yes'])).answer).toMatchObject({
      created_since: '2099-01-02T00:00:00.000Z',
      revoked: 1,
      changed: true,
    });
    expect(await tokenNames(username)).toEqual(['before']);
  });
});

test('team create and list answer the teams', async () => {
  const create = ['team', 'create', `T-${username}`, '--name', 'Sales'];
  const { answer } = await json(create);
  expect(answer).toEqual({
    team_id: expect.any(String),
    team_short: `T-${username}`,
    team_name: 'Sales',
    team_type: 'internal',
  });
  const other = (await json(['team', 'create', `U-${username}`, '--name', 'Other', '--type', 'external']))
    .answer;
  expect(other).toMatchObject({ team_type: 'external' });
  expect((await json(['team', 'list'])).answer).toEqual(expect.arrayContaining([answer, other]));
  expect((await run(['team', 'list'])).stderr).toContain(`team_type   internal\n\nteam_id`);
});

describe('a refused command', () => {
  test.each<[string[], string, string?]>([
    [['account', 'show', 'nobody-of-this-name'], 'account_not_found'],
    [['account', 'show', 'no name'], 'account_not_found'],
    [['account', 'create', 'API'], 'invalid_request'],
    [['account', 'create', 'new-one', '--team', 'no-such-team'], 'team_not_found'],
    [['account', 'create', 'new-one', '--password-stdin'], 'invalid_request', 'short'],
    [['token', 'delete', 'no-such-token', 'admin'], 'account_not_found'],
    [['restore', 'check', '--table', 'nowhere'], 'table_not_found'],
  ])('%j exits with 1 and %s', async (args, code, input) => {
    const answered = await json(args, input);
    expect(answered).toMatchObject({ code: 1, answer: { code, message: expect.any(String) } });
    expect('errors' in answered.answer).toBe(code === 'invalid_request');
  });

  test('shows people the code and each field', async () => {
    await account({ username });
    const { code, stdout, stderr } = await run(['token', 'create', 'no%20name', username]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^invalid_request: The request is malformed.*\n {2}token_name: \S/);
  });
});

test.each<[string, object | undefined, string]>([
  [
    'the service answers no more',
    { dynamodb: 'http://127.0.0.1:9' },
    'The instance does not answer, is it running?',
  ],
  ['instance.json is damaged', undefined, 'is damaged: restart the instance'],
])('a command exits with 1 and unavailable when %s', async (_what, changes, words) => {
  if (changes) it.describeInstance(changes);
  else writeFileSync(`${it.data}/instance.json`, '{');
  const { code, answer } = await json(['account', 'show', 'ada']);
  expect({ code, answer }).toEqual({
    code: 1,
    answer: { code: 'unavailable', message: expect.stringContaining(words) },
  });
});

test('the audit log has a line for each command that changes something or is refused', async () => {
  await run(['account', 'create', username]);
  await run(['account', 'password', username, '--password-stdin'], 'short');
  await run(['token', 'create', 'CI', username]);
  await run(['account', 'show', username]);
  await run(['team', 'create', `T-${username}`, '--name', 'Sales']);
  await run(['account', 'move-passwords']);
  it.wire.script((operation) =>
    operation === 'UpdateItem' ? { status: 400, body: { __type: 'Odd', message: 'x' } } : undefined,
  );
  await run(['account', 'reset-stamp', username]);
  const entries = it.audited();
  expect(entries.map((entry) => [entry.action, entry.target, entry.outcome, entry.changed])).toEqual([
    ['admin account create', username, 'ok', true],
    ['admin account password', username, 'invalid_request', false],
    ['admin token create', `ci@${username}`, 'ok', true],
    ['admin team create', `t-${username}`, 'ok', true],
    ['admin account move-passwords', null, 'ok', true],
    ['admin account reset-stamp', username, 'Odd', null],
  ]);
  const [first] = entries;
  expect(first).toMatchObject({ level: 'audit', actor: OPERATOR, source: hostname() });
  expect(first?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(Math.abs(Date.parse(String(first?.time)) - Date.now())).toBeLessThan(60_000);

  const shown = await run([
    'audit',
    '--target',
    username,
    '--action',
    'admin account create',
    '--since',
    '1h',
  ]);
  expect(shown).toEqual({
    code: 0,
    stdout: '',
    stderr: `${first?.time}  ${OPERATOR}  admin account create  ${username}  ok  ${hostname()}  ${first?.requestId}\n`,
  });
});
