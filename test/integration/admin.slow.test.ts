import { expect, inject, test } from 'vitest';
import { here, json, run, start } from './operator.ts';
import { get, logIn, noted, uniqueName } from './service.ts';

const statusOf = async (credential: { jwt: string } | { token: string }) =>
  (await get('/api/core/system/ping', credential)).status;

test('the service follows account, team and token commands at once', async () => {
  const [username, short] = [uniqueName('op'), uniqueName('t')];
  const password = noted('  a spaced password ');
  const team = (await json(['team', 'create', short, '--name', 'Sales'])).answer;
  const options = ['--app', 'crm', '--role', 'r1', '--team', short];
  const created = await json(
    ['account', 'create', username, '--password-stdin', ...options],
    `${password}\n`,
  );
  expect(created.answer).toMatchObject({ username, team_id: team.team_id, user_app_name: 'crm', roles: 1 });
  const jwt = await logIn(username, password);
  await run(['account', 'add', username, '--role', 'r2']);
  expect((await get('/api/core/account/profile', { jwt })).body.data).toMatchObject({ roles: ['r1', 'r2'] });

  const { stdout, stderr } = await run(['token', 'create', 'ci', username]);
  const token = noted(stdout.trim());
  expect(stderr).not.toContain(token);
  expect(await statusOf({ token })).toBe(200);
  await run(['account', 'lock', username]);
  expect([await statusOf({ jwt }), await statusOf({ token })]).toEqual([401, 401]);
  await run(['account', 'unlock', username]);
  expect([await statusOf({ jwt }), await statusOf({ token })]).toEqual([401, 200]);
  expect((await json(['token', 'revoke', '--all', username, '--yes'])).answer).toMatchObject({ revoked: 1 });
  expect(await statusOf({ token })).toBe(401);

  const second = await logIn(username, password);
  await run(['account', 'password', username, '--password-stdin'], noted('a-new-password'));
  expect(await statusOf({ jwt: second })).toBe(401);
  await expect(logIn(username, 'a-new-password')).resolves.toBeTruthy();
});

test.each([
  [['account', 'show', 'nobody-of-this-name'], 1, '{"code":"account_not_found",'],
  [['account', 'show', 'admin', '--surprise'], 2, ''],
  [['--help'], 0, 'Usage: admin'],
])('the program exits as its command: %j', async (args, code, stdout) => {
  const exit = await start([...args, '--json', ...here()], { env: { FORCE_COLOR: '3', NO_COLOR: '' } });
  expect({ code: exit.code, stdout: exit.stdout.slice(0, stdout.length || undefined) }).toEqual({
    code,
    stdout,
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the beginning of a colour
  expect(exit.stdout + exit.stderr).not.toMatch(/\x1b/);
});

test('doctor finds the instance under test healthy', async () => {
  const { code, answer } = await json(['doctor']);
  expect(code, JSON.stringify(answer)).toBe(0);
  const states = Object.fromEntries(answer.map(({ check, state }: Record<string, string>) => [check, state]));
  const own = inject('stack') === undefined ? {} : { outputs: 'ok' };
  expect(states).toMatchObject({
    status: 'ok',
    signing_key: 'ok',
    service: 'ok',
    pending_events: 'ok',
    ...own,
  });
});
