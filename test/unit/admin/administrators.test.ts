import { expect, test } from 'vitest';
import { createToken } from '#lib/token/create';
import { listTokens } from '#lib/token/list';
import { openInstance } from './operator.ts';

const { run, json, account, stored, runtime, audited } = await openInstance();
const roles = ['sys_administrator'];

test.each([
  ['lock', [], 'unlock', []],
  ['cancel', ['--yes'], 'reactivate', []],
  ['remove', ['--role', 'x', '--role', 'sys_administrator'], 'add', ['--role', 'sys_administrator']],
])('%s refuses the last administrator, except with --force', async (verb, options, undo, undoing) => {
  const username = `last-of-${verb}`;
  const before = await account({ username, roles });
  const command = ['account', verb, username, ...options];
  expect(await json(command)).toMatchObject({ code: 1, answer: { code: 'last_administrator' } });
  expect(await stored({ username })).toEqual({
    ...before,
    ...(await stored({ username })),
    stamp: before.stamp,
  });
  expect(audited().at(-1)).toMatchObject({ target: username, outcome: 'last_administrator', changed: false });
  expect((await run([...command, '--force'])).code).toBe(0);
  await run(['account', undo, username, ...undoing]);
  const { username: other } = await account({ roles });
  expect((await run(command)).code).toBe(0);
  await run(['account', 'remove', other, '--role', 'sys_administrator', '--force']);
});

test('a command that demotes an administrator reports the tokens that it created for others', async () => {
  const maker = await account({ username: 'Maker', roles });
  const actor = { by: 'Maker', requestId: 'r' };
  const owners = [await account(), await account(), maker];
  for (const owner of owners) await createToken(runtime, await stored(owner), 'made', actor);
  await createToken(runtime, await stored(maker), 'other', { ...actor, by: 'admin' });
  const words =
    'Maker has created 2 tokens of other accounts, which stay valid: "token revoke --created-by Maker"';
  for (const verb of [['lock'], ['cancel', '--yes'], ['remove', '--role', 'sys_administrator']])
    expect((await run(['account', ...verb, 'maker', '--force'])).stderr).toContain(words);
  expect((await run(['account', 'unlock', 'maker'])).stderr).not.toContain('has created');
  expect((await run(['account', 'lock', 'maker'])).stderr).not.toContain('has created');
  const none = ['token', 'revoke', '--created-by', 'maker', '--created-since', '2099-01-02'];
  expect((await json([...none, '--yes'])).answer).toMatchObject({ tokens: 4, revoked: 0, changed: false });
  const revoke = ['token', 'revoke', '--created-by', 'maker'];
  expect((await run(revoke)).stderr).toContain('Deleting 3 of 4 tokens');
  const answer = { created_by: 'maker', revoked: 3, changed: true };
  expect((await json([...revoke, '--yes'])).answer).toMatchObject(answer);
  expect((await listTokens(runtime, { username: 'maker' })).items.map(({ name }) => name)).toEqual(['other']);
});
