import { readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { newFolder } from './folder.ts';
import { json, run } from './operator.ts';
import { admin, createUser, get, noted } from './service.ts';

const operator = `operator:${userInfo().username.toLowerCase()}`;
const statusOf = async (credential: { jwt: string } | { token: string }) =>
  (await get('/api/core/system/ping', credential)).status;
const allOf = async (...credentials: ({ jwt: string } | { token: string })[]) =>
  Promise.all(credentials.map(statusOf));

test('an operator locks, unlocks and cancels, and is the one who did it', async () => {
  const { username, logIn, token } = await createUser();
  const [jwt, secret] = [await logIn(), await token()];
  expect((await json(['account', 'lock', username])).answer).toMatchObject({ islocked: true, changed: true });
  expect((await json(['account', 'lock', username])).answer).toMatchObject({ changed: false });
  expect(await allOf({ jwt }, { token: secret })).toEqual([401, 401]);
  await run(['account', 'unlock', username]);
  expect(await allOf({ jwt }, { token: secret })).toEqual([401, 200]);

  const refused = await json(['account', 'cancel', username]);
  expect(refused).toMatchObject({ code: 1, answer: { code: 'not_confirmed' } });
  expect(await statusOf({ token: secret })).toBe(200);
  const cancelled = await run(['account', 'cancel', username, '--yes', '--json']);
  expect(cancelled.stderr).toContain(`${username} is cancelled`);
  expect(JSON.parse(cancelled.stdout)).toMatchObject({
    isactive: false,
    cancelled_by: operator,
    changed: true,
  });
  expect(await statusOf({ token: secret })).toBe(401);
  const entries = (await json(['audit', '--target', username, '--actor', 'operator'])).answer;
  expect(entries.map((entry: { action: string; outcome: string }) => [entry.action, entry.outcome])).toEqual([
    ['admin account lock', 'ok'],
    ['admin account lock', 'ok'],
    ['admin account unlock', 'ok'],
    ['admin account cancel', 'not_confirmed'],
    ['admin account cancel', 'ok'],
  ]);
});

describe('a secret', () => {
  test('stands alone on standard output, and the operator as who made it', async () => {
    const { username } = await createUser();
    const { stdout, stderr } = await run(['token', 'create', 'ci', username]);
    expect(stdout).toMatch(/^cst_[A-Za-z0-9]{36}\n$/);
    const secret = noted(stdout.trim());
    expect(stderr).not.toContain(secret);
    expect(stderr).toContain(operator);
    expect(await statusOf({ token: secret })).toBe(200);
    expect((await get(`/api/core/token/user/${username}`, admin)).text).toContain(operator);
  });

  test.skipIf(inject('stack'))('stands alone there where the bus is out of reach, too', async () => {
    const { username } = await createUser();
    const where = await newFolder();
    const instance = JSON.parse(await readFile(join(inject('data'), 'instance.json'), 'utf8'));
    const settings = { ...instance.settings, Settings__Events: 'token_create' };
    const events = 'http://127.0.0.1:9';
    await writeFile(join(where, 'instance.json'), JSON.stringify({ ...instance, settings, events }));
    const { stdout, stderr } = await run(['token', 'create', 'ci', username], '', {
      where: ['--data', where],
    });
    expect(stderr).toContain('The bus cannot be reached');
    expect(noted(stdout.trim())).toMatch(/^cst_[A-Za-z0-9]{36}$/);
  });
});

test('an operator lists the tokens of an account, and revokes all of them', async () => {
  const [owner, other] = [await createUser(), await createUser()];
  const [a, b, kept] = [await owner.token('a'), await owner.token('b'), await other.token()];
  const listed = async () =>
    (await json(['token', 'list', owner.username])).answer.map(
      ({ name, value }: { name: string; value: null }) => [name, value],
    );
  expect(await listed()).toEqual([
    ['a', null],
    ['b', null],
  ]);
  expect((await run(['token', 'list', owner.username])).stderr).toMatch(/^a {2}made \S+Z by admin,/);
  const revoke = ['token', 'revoke', '--all', owner.username];
  expect((await json(revoke)).answer.code).toBe('not_confirmed');
  expect((await json([...revoke, '--yes'])).answer).toEqual({
    username: owner.username,
    tokens: 2,
    revoked: 2,
    changed: true,
  });
  expect(await allOf({ token: a }, { token: b }, { token: kept })).toEqual([401, 401, 200]);
  expect(await listed()).toEqual([]);
  expect((await json([...revoke, '--yes'])).answer).toMatchObject({ revoked: 0, changed: false });
  expect((await json(['account', 'show', owner.username])).code).toBe(0);
});

test('a role that only looks like one of the service is refused, unless it is forced', async () => {
  const { username } = await createUser();
  const add = ['account', 'add', username, '--role', 'sys_admin'];
  const { code, stderr } = await run(add);
  expect(code).toBe(2);
  expect(stderr).toContain('sys_administrator and sys_tokens');
  expect((await json([...add, '--force'])).answer).toMatchObject({ roles: 1 });
  expect((await json(['account', 'remove', username, '--role', 'sys_admin'])).answer).toMatchObject({
    roles: 0,
  });
});

test.each([
  [['token', 'revoke']],
  [['token', 'revoke', '--all']],
  [['token', 'revoke', 'admin']],
  [['token', 'revoke', 'admin', '--created-since', '1h']],
  [['account', 'create', 'new-one', '--password']],
  [['completion', 'tcsh']],
])('a command that is used wrongly exits with 2: %j', async (args) => {
  const { code, stdout, stderr } = await run(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('error: ');
});

test('nothing has colours', async () => {
  const env = { FORCE_COLOR: '3', NO_COLOR: '' };
  const outputs = await Promise.all(
    [['--help'], ['account', 'show', 'admin'], ['nonsense']].map((args) => run(args, '', { env })),
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: of which colours are made
  for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toMatch(/\x1b/);
});
