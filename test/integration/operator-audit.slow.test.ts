import { hostname, userInfo } from 'node:os';
import { expect, test } from 'vitest';
import type { AuditEntry } from '#lib/audit/entry';
import { json, run } from './operator.ts';
import { admin, createUser, noted, post, uniqueName } from './service.ts';

const operator = `operator:${userInfo().username.toLowerCase()}`;

const audit = async (...args: string[]): Promise<AuditEntry[]> => (await json(['audit', ...args])).answer;

test('what operators have done, and what was refused them, stands in the audit log', async () => {
  const [username, team] = [uniqueName('Op'), uniqueName('t')];
  const password = noted('a-password-of-an-operator');
  await run(['account', 'create', username, '--password-stdin', '--role', 'r'], password);
  await run(['account', 'password', username, '--password-stdin'], 'short');
  const { answer: token } = await json(['token', 'create', 'ci', username]);
  noted(token.value);
  await run(['account', 'unlock', username]);
  await run(['account', 'show', username]);
  await run(['team', 'create', team, '--name', 'Sales']);

  const entries = await audit('--target', username);
  const name = username.toLowerCase();
  expect(entries.map(({ time: _, ...entry }) => entry)).toEqual(
    [
      ['admin account create', name, 'ok', true],
      ['admin account password', name, 'invalid_request', false],
      ['admin token create', `ci@${name}`, 'ok', true],
      ['admin account unlock', name, 'ok', false],
    ].map(([action, target, outcome, changed]) => ({
      actor: operator,
      action,
      target,
      outcome,
      changed,
      source: hostname(),
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })),
  );
  expect(await audit('--target', team)).toMatchObject([{ action: 'admin team create', changed: true }]);
});

test('operators read what others have done: a line each, by target, actor, action and time', async () => {
  const { username } = await createUser();
  const start = new Date().toISOString();
  const locked = await post(`/api/core/account/lock/${username}`, admin);
  const unlocked = await post(`/api/core/account/unlock/${username}`, admin);
  const ids = async (...args: string[]) => (await audit(...args)).map(({ requestId }) => requestId);
  const both = [locked, unlocked].map(({ body }) => body.requestID);
  await expect.poll(() => ids('--target', username)).toEqual(both);
  expect(await ids('--actor', 'admin', '--target', username, '--since', start)).toEqual(both);
  expect(await ids('--action', 'account.unlock', '--target', username)).toEqual(both.slice(1));
  expect(await ids('--target', username, '--since', '2999-01-01')).toEqual([]);
  expect(await ids('--actor', 'operator', '--since', '1h')).not.toContain(both[0]);

  const { code, stdout, stderr } = await run(['audit', '--target', username]);
  expect([code, stdout]).toEqual([0, '']);
  const lines = stderr.trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(
    new RegExp(`^\\S+Z  admin  account\\.lock  ${username}  ok  127\\.0\\.0\\.1  ${both[0]}$`),
  );
});
