import { describe, expect, test } from 'vitest';
import type { Password } from '#lib/item/account';
import { formerPasswordKey, outboxKey, passwordKey } from '#lib/table/keys';
import { get as read } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { json, run } from './operator.ts';
import { administrator, createUser, get, logIn, noted, target, uniqueName } from './service.ts';

test('an account gets its life from the operator commands', async () => {
  const [username, short, other] = [uniqueName('op'), uniqueName('t'), uniqueName('t')];
  const password = noted('  a spaced password ');
  const team = (await json(['team', 'create', short, '--name', 'Sales'])).answer;
  expect(team).toEqual({
    team_id: expect.any(String),
    team_short: short,
    team_name: 'Sales',
    team_type: 'internal',
  });
  await run(['team', 'create', other, '--name', 'Other', '--type', 'external']);
  expect((await json(['team', 'list'])).answer).toContainEqual(team);

  const args = [
    '--first-name',
    'Grace',
    '--last-name',
    'Hopper',
    '--phone',
    '1',
    '--currency',
    'USD',
    '--color',
    '#102030',
  ];
  const grants = ['--app', 'crm', '--app', 'core', '--role', 'r1', '--role', 'r2', '--team', short];
  const created = await json(
    ['account', 'create', username, '--password-stdin', ...args, ...grants, '--no-lockout'],
    `${password}\n`,
  );
  expect(created.answer).toMatchObject({
    username,
    user_first_name: 'Grace',
    user_last_name: 'Hopper',
    phonenumber: '1',
    user_currency: 'USD',
    user_color: '#102030',
    user_short: 'GH',
    user_app_name: 'crm',
    team_id: team.team_id,
    lockoutenabled: false,
    roles: 2,
    teams: 1,
  });
  const jwt = await logIn(username, password);

  await run(['account', 'add', username, '--role', 'r3', '--team', other, '--app', 'x']);
  const removed = (
    await json(['account', 'remove', username, '--role', 'r1', '--team', short, '--app', 'crm'])
  ).answer;
  expect(removed).toMatchObject({ roles: 2, teams: 1, team_name: 'Other', user_app_name: 'core' });
  const profile = (await get('/api/core/account/profile', { jwt })).body.data;
  expect(profile).toMatchObject({ roles: ['r2', 'r3'], apps: ['core', 'x'] });
  expect((await json(['account', 'show', username])).answer).toEqual(removed);

  const token = (await json(['token', 'create', 'ops', username])).answer;
  expect(token).toMatchObject({ username, name: 'ops', value: expect.stringMatching(/^cst_/) });
  expect((await get('/api/core/system/ping', { token: noted(token.value) })).status).toBe(200);
  expect((await json(['token', 'delete', 'ops', username])).answer).toEqual({ username, name: 'ops' });
  expect((await get('/api/core/system/ping', { token: token.value })).status).toBe(401);

  await run(['account', 'reset-stamp', username]);
  expect((await get('/api/core/system/ping', { jwt })).status).toBe(401);
  await run(['account', 'password', username, '--password-stdin'], noted('a-new-password'));
  await expect(logIn(username, 'a-new-password')).resolves.toBeTruthy();

  noted((await json(['token', 'create', 'left', username])).answer.value);
  await administrator.account.cancel({ username });
  const { cancelled_at } = (await json(['account', 'show', username])).answer;
  const listed = (await json(['account', 'list', '--cancelled-since', cancelled_at])).answer;
  expect(listed.map((item: { username: string }) => item.username)).toContain(username);
  expect((await json(['account', 'reactivate', username, '--revoke-tokens'])).answer).toMatchObject({
    isactive: true,
    changed: true,
    tokens_revived: 0,
    tokens_revoked: 1,
  });
  const options = ['--q', username.toUpperCase(), '--role', 'r3', '--state', 'active'];
  const filtered = (await json(['account', 'list', ...options])).answer;
  expect(filtered.map((item: { username: string }) => item.username)).toEqual([username]);
  expect((await json(['account', 'list', ...options, '--never-used'])).answer).toEqual([]);
  const now = (await json(['account', 'list', '--cancelled-since', cancelled_at])).answer;
  expect(now.map((item: { username: string }) => item.username)).not.toContain(username);
});

describe('a command', () => {
  test.each<[string[], string, string?]>([
    [['account', 'show', 'nobody-of-this-name'], 'account_not_found'],
    [['account', 'create', 'admin'], 'account_exists'],
    [['account', 'create', 'API'], 'invalid_request'],
    [['account', 'create', 'no name'], 'invalid_request'],
    [['account', 'create', 'new-one', '--team', 'no-such-team'], 'team_not_found'],
    [['account', 'create', 'new-one', '--password-stdin'], 'invalid_request', 'short'],
    [['account', 'create', 'new-one-name', '--password-stdin'], 'invalid_request', 'NEW-one-name\n'],
    [['token', 'create', 'no%20name', 'admin'], 'invalid_request'],
    [['token', 'delete', 'no-such-token', 'admin'], 'token_not_found'],
  ])('that is refused exits with 1 and the code: %j', async (args, code, input) => {
    const exit = await run([...args, '--json'], input);
    expect(exit.code).toBe(1);
    expect(JSON.parse(exit.stdout)).toMatchObject({ code });
    expect(exit.stderr).toContain(code);
  });

  test.each([
    [[]],
    [['nonsense']],
    [['account', 'create']],
    [['account', 'password', 'admin']],
    [['team', 'create', 'x']],
    [['account', 'show', 'admin', '--surprise']],
    [['account', 'add', 'admin']],
    [['audit', '--since', 'yesterday']],
    [['audit', '--target', 'a" || $.x = "b']],
  ])('that is used wrongly exits with 2: %j', async (args) => {
    const exit = await run(args);
    expect(exit.code).toBe(2);
    expect(exit.stdout).toBe('');
    expect(exit.stderr).not.toBe('');
  });

  test('decides whether failures lock an account, and unlocks it', async () => {
    const { username } = await createUser();
    const locking = async (state: string) =>
      (await json(['account', 'lockout', username, state])).answer.lockoutenabled;
    expect([await locking('off'), await locking('on')]).toEqual([false, true]);
    await administrator.account.lock({ username });
    expect((await json(['account', 'unlock', username])).answer).toMatchObject({
      islocked: false,
      changed: true,
    });
  });

  test('moves the passwords of earlier versions', async () => {
    const { username } = await createUser();
    const { table } = (await target()).runtime;
    const { hash } = (await read(table, passwordKey(username))) as Password;
    await remove(table, passwordKey(username));
    await put(table, formerPasswordKey(username), { hash });
    expect((await json(['account', 'move-passwords'])).answer).toEqual({ moved: 1 });
    expect(await read(table, formerPasswordKey(username))).toBeUndefined();
    expect(await read(table, passwordKey(username))).toMatchObject({ hash });
  });

  test('counts the passwords by their cost', async () => {
    await createUser();
    const { answer } = await json(['account', 'password-costs']);
    expect(answer).toContainEqual({ cost: 10, passwords: expect.any(Number) });
  });

  test('lists and publishes the outbox, with what is set aside', async () => {
    const { runtime } = await target();
    const event = { id: runtime.uuid(), detailType: 'test', createdAt: Date.now() };
    const aside = { attempts: 9, lastError: 'Refused', setAsideAt: Date.now() };
    await put(runtime.table, outboxKey(event.id), { ...event, ...aside, detail: '{"n":1}' });
    expect((await json(['events', 'pending'])).answer).toContainEqual({
      state: 'set aside',
      ...event,
      ...aside,
      detail: { n: 1 },
    });
    expect((await json(['events', 'publish'])).answer).toEqual({ published: expect.any(Number) });
    expect(await read(runtime.table, outboxKey(event.id))).toBeUndefined();
  });
});
