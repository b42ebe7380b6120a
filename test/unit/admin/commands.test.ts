import { mkdirSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { pendingEvents } from '#lib/outbox/outbox';
import { hashOfCode } from '#lib/password/code';
import { codeKey, outboxKey, passwordKey, teamKey } from '#lib/table/keys';
import type { Page } from '#lib/table/listing';
import { get } from '#lib/table/read';
import { put } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { listTokens } from '#lib/token/list';
import { allPages } from '../../../infra/admin/all-pages.ts';
import { newName } from '../../names.ts';
import { COLLISION } from '../../wire/dynamodb-proxy.ts';
import { emptyOutbox, leaveInOutbox } from '../support/event-bus.ts';
import { eventItem, membership, storedSession, uuidOf } from '../support/items.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { shortestWaits } from '../support/shortest-waits.ts';
import { surrounded } from '../support/unseen.ts';
import { openInstance } from './operator.ts';

const it = await openInstance({ Events: 'user_lock,token_create,team_create' });
const { run, json, account, table, runtime, stored, wire } = it;
const OPERATOR = `operator:${userInfo().username.toLowerCase()}`;

const tokenOf = async (owner: Awaited<ReturnType<typeof account>>, name: string) =>
  createToken(runtime, await stored(owner), name, { by: 'admin', requestId: 'r' });
const tokenNames = async (username: string) =>
  (await listTokens(runtime, { username })).items.map(({ name }) => name);

shortestWaits();

let username: string;
beforeEach(() => {
  username = newName('ada');
});

test('allPages reads on after an empty page', async () => {
  const pages = [{ items: [1], next_cursor: '1' }, { items: [], next_cursor: '2' }, { items: [2] }];
  expect(await allPages(async (cursor) => pages[Number(cursor ?? 0)] as Page<number>)).toEqual([1, 2]);
});

/** The answer of a command with `--json`. */
const answerTo = async (...args: string[]) => (await json(args)).answer;

test('a command reads a username without what surrounds it unseen, for the account and for the audit log', async () => {
  const ada = await account();
  expect(await answerTo('account', 'lock', surrounded(ada.username))).toMatchObject({ changed: true });
  expect(it.audited()).toMatchObject([{ action: 'admin account lock', target: ada.username }]);
  expect((await answerTo('account', 'create', surrounded(username))).username).toBe(username);
  const found = await answerTo('account', 'list', '--q', surrounded(username));
  expect(found.map((each: { username: string }) => each.username)).toEqual([username]);
});

test('account sessions lists the open ones, and ends one or all with an audit entry', async () => {
  const sessions = ['account', 'sessions', (await account()).username] as const;
  const ada = await stored({ username: sessions[2] });
  const [one, two] = [await storedSession(table, ada), await storedSession(table, ada, { id: uuidOf(1) })];
  expect((await run(sessions)).stdout).toMatch(new RegExp(`^${one}  .* to .*  password  test\n${two}  `));
  expect(await answerTo(...sessions, '--end', one)).toEqual({ username: ada.username, id: one });
  expect(await answerTo(...sessions)).toMatchObject([{ id: two }]);
  await answerTo(...sessions, '--end', 'all');
  expect(await answerTo(...sessions)).toEqual([]);
  expect(await json([...sessions, '--end', two])).toMatchObject({
    code: 1,
    answer: { code: 'session_not_found' },
  });
  expect(it.audited().map(({ outcome, details }) => [outcome, details])).toEqual([
    ['ok', { session: one }],
    ['ok', null],
    ['session_not_found', { session: two }],
  ]);
});

test('account code prints a code alone, which sets a password', async () => {
  const ada = await account();
  const { code, stdout, stderr } = await run(['account', 'code', ada.username, '--hours', '2']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}\n$/)]);
  expect(stderr).toContain(ada.username);
  expect(stderr).not.toContain(stdout.trim());
  const item = await get(table, codeKey(ada.username));
  expect(item).toMatchObject({ code_sha256: hashOfCode(stdout.trim()) });
  const hours = ((item?.expires_at ?? 0) - Date.now()) / 3_600_000;
  expect([hours > 1, hours <= 2]).toEqual([true, true]);
  const made = { code: expect.any(String), expires_at: expect.any(String) };
  const answer = { username: ada.username, ...made, end_passkeys: false };
  expect(await answerTo('account', 'code', ada.username)).toEqual(answer);
  expect(await answerTo('account', 'code', ada.username, '--end-passkeys')).toMatchObject({
    end_passkeys: true,
  });
  expect(await get(table, codeKey(ada.username))).toMatchObject({ code_ends_passkeys: true });
  const shown = { code_created_by: expect.stringMatching(/^operator:/), code_expires_at: expect.any(String) };
  expect(await answerTo('account', 'show', ada.username)).toMatchObject(shown);
  await answerTo('account', 'reset-stamp', ada.username);
  expect(await answerTo('account', 'show', ada.username)).toMatchObject({ code_created_at: null });
  expect(JSON.stringify(it.audited())).not.toContain(stdout.trim());
});

test('account create fills in the fields that the options name', async () => {
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
  const names = { user_first_name: 'Grace', user_last_name: 'Hopper', user_short: 'X' };
  const teams = [crm, ops].map(({ team_short }) => team_short);
  const memberships = { roles: ['r1', 'sys_admin'], apps: ['crm', 'core'], teams };
  expect(answer).toMatchObject({ username, roles: 2, teams: 2, lockoutenabled: false, memberships });
  expect(await stored({ username })).toMatchObject({
    ...{ ...names, phonenumber: '1', user_currency: 'USD', user_color: '#102030', user_app_name: 'crm' },
    ...{ apps: ['crm', 'core'], roles: ['r1', 'sys_admin'], team_id: crm.team_id },
  });
  expect((await get(table, passwordKey(username)))?.hash).toMatch(/^\$2b\$10\$/);
});

test('account create has defaults, no password, and shows people the memberships', async () => {
  const { code, stdout, stderr } = await run(['account', 'create', username]);
  expect([code, stdout]).toEqual([0, '']);
  for (const [name, text] of [
    ['username', username],
    ['roles', '\\(none\\)'],
    ['apps', 'core'],
    ['cancelled_at', 'null'],
  ])
    expect(stderr).toMatch(new RegExp(`^${name} +${text}$`, 'm'));
  expect(await stored({ username })).toMatchObject({ user_currency: 'EUR', lockoutenabled: true });
  expect(await get(table, passwordKey(username))).toBeUndefined();
});

test('account create and password prompt for a password on a terminal', async () => {
  /** A terminal on which the password is typed again and again, however late the prompt comes. */
  const typed = async (args: string[]) => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const timer = setInterval(() => input.write('correct horse\r'), 100);
    return run(args, input).finally(() => clearInterval(timer));
  };
  expect((await typed(['account', 'create', username, '--password'])).code).toBe(0);
  const before = await get(table, passwordKey(username));
  expect(before).toBeDefined();
  const { stderr } = await typed(['account', 'password', username]);
  expect(stripVTControlCharacters(stderr)).toContain('Repeat: \n');
  expect(await get(table, passwordKey(username))).not.toEqual(before);
});

test('account password and reset-stamp end the sessions', async () => {
  const { stamp } = await account({ username });
  expect((await json(['account', 'password', username, '--password-stdin'], 'correct horse')).code).toBe(0);
  const second = (await stored({ username })).stamp;
  expect(await answerTo('account', 'reset-stamp', username)).toMatchObject({ username });
  expect(new Set([stamp, second, (await stored({ username })).stamp]).size).toBe(3);
});

test('account add and remove change all three memberships', async () => {
  await account({ username, roles: ['r1'], apps: ['core', 'crm'] });
  const { team_short } = await it.team(`T-${username}`);
  const change = (verb: string, ...options: string[]) => answerTo('account', verb, username, ...options);
  const options = ['--role', 'r2', '--app', 'x', '--team', team_short];
  expect(await change('add', ...options)).toMatchObject({ roles: 2, teams: 1 });
  expect(await stored({ username })).toMatchObject({ roles: ['r1', 'r2'], apps: ['core', 'crm', 'x'] });
  expect(await change('remove', ...options)).toMatchObject({ roles: 1, teams: 0 });
  expect(await change('show')).toMatchObject({ username, roles: 1 });
  const changes = (end: string) => ({
    [`roles_${end}`]: ['r2'],
    [`teams_${end}`]: [team_short],
    [`apps_${end}`]: ['x'],
  });
  expect(await change('remove', ...options)).toMatchObject({ changed: false });
  expect(it.audited().map(({ details, changed }) => [details, changed])).toEqual([
    [changes('added'), true],
    [changes('removed'), true],
    [{}, false],
  ]);
});

test('account lock, unlock, lockout, cancel and reactivate change the state in the name of the operator', async () => {
  await tokenOf(await account({ username }), 'kept');
  const steps: [string[], object, [string, boolean]][] = [
    [['lock'], { islocked: true, changed: true }, ['ok', true]],
    [['lock'], { changed: false }, ['ok', false]],
    [['lock', '--reason', 'fraud', '--until', '24h'], { lock_reason: 'fraud', changed: true }, ['ok', true]],
    [['lock', '--reason', 'a\nb'], { errors: [{ field: 'reason' }] }, ['invalid_request', false]],
    [['lock', '--until', '2020-01-01'], { errors: [{ field: 'until' }] }, ['invalid_request', false]],
    [['unlock'], { islocked: false, changed: true }, ['ok', true]],
    [['lockout', 'off'], { lockoutenabled: false }, ['ok', true]],
    [['lockout', 'on'], { lockoutenabled: true }, ['ok', true]],
    [['cancel'], { code: 'not_confirmed' }, ['not_confirmed', false]],
    [['cancel', '--yes'], { isactive: false, cancelled_by: OPERATOR }, ['ok', true]],
    [['reactivate'], { tokens_revived: 1 }, ['ok', true]],
    [['cancel', '--yes'], { isactive: false }, ['ok', true]],
    [['reactivate', '--revoke-tokens'], { isactive: true, tokens_revoked: 1 }, ['ok', true]],
  ];
  for (const [[verb = '', ...options], answer] of steps)
    expect(await answerTo('account', verb, username, ...options)).toMatchObject(answer);
  expect(it.audited().map((entry) => [entry.action, entry.outcome, entry.changed])).toEqual(
    steps.map(([[verb], , result]) => [`admin account ${verb}`, ...result]),
  );
  expect(it.audited()[2]).toMatchObject({ details: { reason: 'fraud', until: expect.any(String) } });
  const text = `Cancelling ${username} ends its sessions, disables its password and its API tokens (0)`;
  expect((await run(['account', 'cancel', username])).stderr).toContain(text);
});

test('account show reports why logins are refused, and unlock reports what it has lifted', async () => {
  await account({ username });
  const change = (verb: string) => answerTo('account', verb, username);
  expect(await change('show')).toMatchObject({ login_refusals: [] });
  await change('lock');
  expect(await change('show')).toMatchObject({ login_refusals: ['locked by an administrator'] });
  const { stderr } = await run(['account', 'show', username]);
  expect(stderr).toMatch(/^login_refusals +locked by an administrator$/m);
  expect(stderr).toMatch(/^lastActivity +[\dT:.-]+Z$/m);
  expect(await change('unlock')).toMatchObject({ lifted: ['locked by an administrator'], changed: true });
  expect(await change('unlock')).toMatchObject({ lifted: [], changed: false });
});

test.each([
  [['account', 'show', 'forger']],
  [['account', 'list', '--q', 'forger']],
  [['team', 'list']],
  [['export']],
])('%j escapes the control characters of stored texts, and JSON keeps their value', async (args) => {
  const forged = 'x\nislocked         true\x9b2J\u202e';
  if (!(await stored({ username: 'forger' }))) await account({ username: 'forger', user_last_name: 'x' });
  await setAttributes(table, await stored({ username: 'forger' }), { user_last_name: forged });
  await put(table, teamKey('forged'), { ...membership(1), team_name: forged });
  const { stdout, stderr } = await run(args);
  expect(stdout + stderr).toMatch(/^[^\p{Cc}\u202e]+(\n[^\p{Cc}\u202e]*)+$/u);
  expect(stdout + stderr).not.toMatch(/^islocked {9}true/m);
  const printed = (await run([...args, '--json'])).stdout;
  expect(printed).not.toMatch(/[\x9b\u202e]/);
  const values = printed
    .trim()
    .split('\n')
    .map((line) => JSON.stringify(JSON.parse(line)));
  expect(values.join()).toContain(JSON.stringify(forged));
});

test('a change that conflicts with others until the end may have been committed', async () => {
  const { username } = await account();
  wire.script((operation) => (operation === 'TransactWriteItems' ? COLLISION : undefined));
  expect(await answerTo('account', 'lock', username)).toMatchObject({ code: 'unavailable' });
  expect(it.audited()).toMatchObject([{ outcome: 'unavailable', changed: null }]);
});

test('--json escapes the control characters of an error', async () => {
  const { stdout } = await run(['import', 'x\x9b2J', '--json']);
  expect(stdout).not.toContain('\x9b');
  expect(JSON.parse(stdout)).toMatchObject({ message: expect.stringContaining('x\x9b2J') });
});

test('account list applies each option', async () => {
  const { team_short } = await it.team(`L-${username}`);
  const role = `role-of-${username}`;
  const names = [1, 2, 3, 4].map((n) => `${username}-${n}`);
  const [first = '', second = '', third = ''] = names;
  const part = { [first]: { teams: [team_short], apps: ['crm'], never_used: false } };
  for (const name of names) await account({ username: name, roles: [role], ...part[name] });
  await run(['account', 'lock', second]);
  await run(['account', 'cancel', third, '--yes']);
  const list = (...options: string[]) => run(['account', 'list', '--role', role, ...options]);
  for (const [options, expected] of [
    [[], names],
    [['--team', team_short], [first]],
    [['--app', 'crm'], [first]],
    [['--q', `${username}-2`], [second]],
    [['--never-used'], names.slice(1)],
    [['--inactive-since', '2001-01-01'], []],
    [['--inactive-since', '2099-01-01'], names],
  ] as const)
    expect((await list(...options)).stdout.match(/(?<= {2})ada\S+/g) ?? [], `${options}`).toEqual(expected);
  for (const [options, text] of [
    [['--state', 'locked'], `\\S+Z  ${second}  locked`],
    [['--state', 'cancelled'], `\\S+Z  ${third}  cancelled`],
    [['--cancelled-since', '1h'], `\\S+Z  ${third}  ${OPERATOR}`],
    [['--state', 'locked', '--csv'], `"username",.*\n"${second}",.*`],
  ] as const)
    expect(await list(...options)).toMatchObject({
      stdout: expect.stringMatching(`^${text}\n$`),
      stderr: '',
    });
  const none = { code: 0, stdout: '', stderr: '(none)\n' };
  expect(await list('--team', 'nothing')).toEqual(none);
});

test('account reset-stamps changes the stamps from before a time, after a confirmation', async () => {
  const { stamp } = await account({ username });
  const refused = await run(['account', 'reset-stamps', '--json']);
  expect(JSON.parse(refused.stdout).code).toBe('not_confirmed');
  expect(refused.stderr).toMatch(/^All sessions of \d+ accounts? in the table test-.*--before \S+Z\.$/m);
  const old = await answerTo('account', 'reset-stamps', '--yes', '--before', '2001-01-01');
  expect(old).toMatchObject({ reset: 0, changed: false, before: '2001-01-01T00:00:00.000Z' });
  expect((await stored({ username })).stamp).toBe(stamp);
  const answer = await answerTo('account', 'reset-stamps', '--yes');
  expect(answer).toMatchObject({ changed: true, reset: answer.accounts });
  expect(Date.parse(answer.before)).toBeLessThanOrEqual(Date.now());
  expect((await stored({ username })).stamp).not.toBe(stamp);
  const ends = ['not_confirmed false', 'ok false', 'ok true'];
  const [own, each] = [it.audited().filter(({ target }) => target === null), it.audited()];
  expect(own.map(({ outcome, changed }) => `${outcome} ${changed}`)).toEqual(ends);
  expect(each).toHaveLength(ends.length + answer.reset);
  expect(each).toContainEqual(expect.objectContaining({ target: username, outcome: 'ok', changed: true }));
});

test.each([
  ['although the relay is out of reach', { lambda: 'http://127.0.0.1:9' }, 'Events wait for the next sweep'],
  ['and --json answers it as value', {}, `token_created_by   ${OPERATOR}`],
])('token create prints the secret alone on standard output, %s', async (_, changes, words) => {
  await account({ username });
  it.describeInstance(changes);
  const { stdout, stderr } = await run(['token', 'create', 'ci', username]);
  expect(stdout).toMatch(/^cst_[A-Za-z0-9]{36}\n$/);
  expect(stderr).not.toContain(stdout.trim());
  expect(stderr).toContain(words);
  const value = expect.stringMatching(/^cst_/);
  expect(await answerTo('token', 'create', 'cd', username)).toMatchObject({ username, name: 'cd', value });
  const types = 'lambda' in changes ? [] : ['token_create', 'token_create'];
  expect(it.bus.calls.flat().map(({ DetailType }) => DetailType)).toEqual(types);
});

test('token create limits the token to the rights of the account', async () => {
  await account({ username, roles: ['r'] });
  const create = ['token', 'create', 'ci', username];
  for (const wrong of [
    ['--role', 'other'],
    ['--address', 'localhost'],
    ['--expires-in-days', 'x'],
  ])
    expect(await run([...create, ...wrong])).toMatchObject({ code: 1, stdout: '' });
  const limits = ['--expires-in-days', '2', '--description', 'x', '--read-only'];
  const lists = ['--role', 'r', '--address', '192.0.2.1/24', '--address', '::1'];
  expect(await answerTo(...create, ...limits, ...lists)).toMatchObject({
    ...{ token_expires_at: expect.any(String), token_description: 'x' },
    ...{ token_access: 'read', token_roles: ['r'], token_addresses: ['192.0.2.0/24', '::1'] },
  });
  expect((await run(['token', 'list', username])).stdout).toMatch(/, ends \d{4}-\S+Z$/m);
});

test('token list and delete work on the tokens of one account', async () => {
  const owner = await account({ username });
  for (const name of ['a', 'b']) await tokenOf(owner, name);
  expect(await answerTo('token', 'list', username)).toMatchObject([
    { name: 'a', value: null },
    { name: 'b', value: null },
  ]);
  expect((await run(['token', 'list', username])).stdout).toMatch(
    /^a {2}created 2026-11-20T12:00:00\.000Z by admin, never used\nb/,
  );
  expect(await answerTo('token', 'delete', 'a', username)).toEqual({ username, name: 'a' });
  expect(await tokenNames(username)).toEqual(['b']);
});

test('token revoke --all deletes the tokens of one account, after a confirmation', async () => {
  const [owner, other] = [await account({ username }), await account()];
  await tokenOf(owner, 'a');
  await tokenOf(other, 'kept');
  const refused = await run(['token', 'revoke', '--all', username]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`1 token of ${username}, `) });
  const revoke = () => answerTo('token', 'revoke', '--all', username, '--yes');
  expect(await revoke()).toEqual({ username, tokens: 1, revoked: 1, changed: true });
  expect(it.audited().map(({ target, outcome }) => [target, outcome])).toEqual([
    [username, 'not_confirmed'],
    [`a@${username}`, 'ok'],
    [username, 'ok'],
  ]);
  expect(await revoke()).toEqual({ username, tokens: 0, revoked: 0, changed: false });
  expect(await tokenNames(other.username)).toEqual(['kept']);
});

test('team create and list answer the teams', async () => {
  const answer = await answerTo('team', 'create', `T-${username}`, '--name', 'Sales');
  const team = { team_short: `T-${username}`, team_name: 'Sales', team_type: 'internal' };
  expect(answer).toEqual({ team_id: expect.any(String), ...team });
  const other = await answerTo('team', 'create', `U-${username}`, '--name', 'Other', '--type', 'external');
  expect(other).toMatchObject({ team_type: 'external' });
  expect(it.bus.details()).toMatchObject([
    [{ hook: '[core].[team_create]', ...(answer as object) }],
    [{ hook: '[core].[team_create]', ...(other as object) }],
  ]);
  expect(await answerTo('team', 'list')).toEqual(expect.arrayContaining([answer, other]));
  expect((await run(['team', 'list'])).stdout).toContain(`${Object.values(answer).join('  ')}\n`);
});

test('events publish empties the outbox that events pending lists', async () => {
  const event = { id: runtime.uuid(), detailType: 'test', createdAt: Date.now() };
  const setAside = { attempts: 9, lastError: 'Refused', setAsideAt: Date.now() };
  await put(table, outboxKey(event.id), { ...event, ...setAside, detail: '{"n":1}' });
  const [createdAt, setAsideAt] = [event.createdAt, setAside.setAsideAt].map((at) =>
    new Date(at).toISOString(),
  );
  const listed = { state: 'set-aside', ...event, ...setAside, createdAt, setAsideAt, detail: { n: 1 } };
  expect(await answerTo('events', 'pending')).toContainEqual(listed);
  expect(await answerTo('events', 'publish')).toEqual({ published: expect.any(Number) });
  expect(await answerTo('events', 'pending')).not.toContainEqual(listed);
});

test('events publish reports a failure of the relay', async () => {
  it.relay.fail(new Error('Out of memory'));
  const message = 'The relay failed: Out of memory: see its log';
  expect(await json(['events', 'publish'])).toEqual({ code: 1, answer: { code: 'not_published', message } });
  expect(it.audited()).toMatchObject([{ outcome: 'not_published', changed: false }]);
});

test('a command has the relay publish exactly the events that it has committed', async () => {
  await emptyOutbox(table);
  await leaveInOutbox(table, eventItem(1));
  await answerTo('account', 'create', username);
  await answerTo('account', 'cancel', username, '--yes');
  expect(it.bus.details().flat()).toMatchObject([{ username }]);
  expect(await pendingEvents(table)).toEqual([eventItem(1)]);
});

test('events publish reports how many events the bus refuses, and why', async () => {
  await emptyOutbox(table);
  await leaveInOutbox(table, eventItem(1), eventItem(2));
  it.bus.fail((n) => n === 2);
  const message = 'The bus refused 1 of 2 events: ThrottlingException';
  expect(await json(['events', 'publish'])).toEqual({ code: 1, answer: { code: 'not_published', message } });
  expect(it.audited()).toMatchObject([{ outcome: 'not_published', changed: true }]);
  it.bus.fail(() => true);
  await json(['events', 'publish']);
  expect(it.audited().at(-1)).toMatchObject({ outcome: 'not_published', changed: false });
});

test.each<[string[], string, string?]>([
  [['account', 'show', 'nobody-of-this-name'], 'account_not_found'],
  [['account', 'show', 'no name'], 'account_not_found'],
  [['account', 'create', 'API'], 'invalid_request'],
  [['account', 'create', 'cst_1234'], 'invalid_request'],
  [['account', 'create', 'new-one', '--team', 'no-such-team'], 'team_not_found'],
  [['account', 'create', 'new-one', '--password-stdin'], 'invalid_request', 'short'],
  [['account', 'create', 'new-one', '--password-stdin'], 'invalid_request', 'Password1'],
  [['account', 'create', 'bea', '--password-stdin'], 'invalid_request', 'bea12345'],
  [['account', 'create', 'new-one', '--last-name', 'Lo', '--password-stdin'], 'invalid_request', 'lo-2026!'],
  [['token', 'delete', 'no-such-token', 'admin'], 'account_not_found'],
  [['restore', 'check', '--table', 'nowhere'], 'table_not_found'],
  [['token', 'revoke', '--created-since', '1h', '--table', 'nowhere', '--yes'], 'table_not_found'],
])('the refused command %j exits with 1 and %s', async (args, code, input) => {
  const answered = await json(args, input);
  expect(answered).toMatchObject({ code: 1, answer: { code, message: expect.any(String) } });
  expect('errors' in answered.answer).toBe(code === 'invalid_request');
});

test('a refused command shows people the code and each field', async () => {
  await account({ username });
  for (const name of ['no%20name', 'cst_1234']) {
    const { code, stdout, stderr } = await run(['token', 'create', name, username]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Instance: \S+\ninvalid_request: The request is malformed.*\n {2}token_name: \S/);
    expect(stderr).not.toContain(name);
  }
});

test.each<[string, () => void, string]>([
  [
    'answers no more',
    () => it.describeInstance({ dynamodb: 'http://127.0.0.1:9' }),
    'DynamoDB GetItem: connect ECONNREFUSED',
  ],
  ['has a damaged instance.json', () => it.fileOf('instance.json', '{'), 'No local instance runs on'],
])('a command exits with 1 and unavailable when the instance %s', async (_what, damage, words) => {
  damage();
  const answer = { code: 'unavailable', message: expect.stringContaining(words) };
  expect(await json(['account', 'show', 'ada'])).toEqual({ code: 1, answer });
});

test('the audit log has a line for each command that changes something or is refused', async () => {
  const start = Date.now();
  await run(['account', 'create', username]);
  await run(['account', 'password', username, '--password-stdin'], 'short');
  await run(['token', 'create', 'CI', username]);
  await run(['account', 'show', username]);
  await run(['team', 'create', `T-${username}`, '--name', 'Sales']);
  await run(['account', 'password-costs']);
  it.wire.script((operation) =>
    operation === 'UpdateItem' ? { status: 400, body: { __type: 'Odd', message: 'x' } } : undefined,
  );
  await run(['account', 'reset-stamp', username]);
  const entries = it.audited();
  expect(entries.map((entry) => [entry.action, entry.target, entry.outcome, entry.changed])).toEqual([
    ['admin account create', username, 'ok', true],
    ['admin account password', username, 'invalid_request', false],
    ['admin token create', `CI@${username}`, 'ok', true],
    ['admin team create', `t-${username}`, 'ok', true],
    ['admin account password-costs', null, 'ok', true],
    ['admin account reset-stamp', username, 'Odd', null],
  ]);
  const [first] = entries;
  expect(first).toMatchObject({ level: 'audit', actor: OPERATOR, source: hostname() });
  expect(first?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  const time = Date.parse(String(first?.time));
  expect([time >= start, time <= Date.now()]).toEqual([true, true]);

  const refused = await run(['audit', '--target', username, '--outcome', 'invalid_request']);
  expect(refused.stdout).toContain(`  ${username}  invalid_request  `);
  const filter = ['--target', username, '--action', 'admin account create', '--since', '1h'];
  const shown = await run(['audit', ...filter]);
  expect(shown).toEqual({
    code: 0,
    stdout: `${first?.time}  ${OPERATOR}  admin account create  ${username}  ok  ${hostname()}  ${first?.requestId}  apps_added=core\n`,
    stderr: '',
  });
});

test('audit prints no details that are null', async () => {
  await run(['account', 'create', username]);
  await run(['account', 'lock', username, '--reason', 'lost']);
  const { stdout } = await run(['audit', '--target', username, '--action', 'admin account lock']);
  expect(stdout).toMatch(/ {2}reason=lost\n$/);
  expect(stdout).not.toContain('null');
});

test('a command changes nothing when the audit log cannot be written', async () => {
  mkdirSync(join(it.data, 'operators.jsonl'));
  const text = 'audit_unavailable: Nothing was changed, as the audit log cannot be written: EISDIR';
  const { code, stderr } = await run(['account', 'create', username]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(text)]);
  expect(await stored({ username })).toBeUndefined();
});
