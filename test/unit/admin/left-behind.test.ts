import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { reportLeftBehind } from '#infra/admin/account/left-behind';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { completeErasures } from '#lib/erasure/complete';
import { eraseAccount } from '#lib/erasure/erase';
import { FOREVER } from '#lib/item/account';
import type { AuditEntry } from '#lib/item/audit-entry';
import { SETTLED_MS } from '#lib/table/pass';
import { createToken } from '#lib/token/create';
import { AUDIT_FILE } from '../../../infra/local/machine/resource-names.ts';
import { ServiceError } from '../../../infra/local/machine/serve-aws.ts';
import { newName } from '../../names.ts';
import { lineOf } from '../audit/history.ts';
import { by } from '../support/engine.ts';
import { openInstance } from './operator.ts';

const { run, account, stored, runtime, data, clock, secrets } = await openInstance();
/** Appends lines of functions to the audit log. */
const log = (...entries: AuditEntry[]) =>
  appendFile(join(data, AUDIT_FILE), entries.map((entry) => `${lineOf(entry)}\n`).join(''));
const roles = ['sys_administrator'];

/** The entry of an account that the endpoint has created. */
const creation = (actor: string, target: string, outcome = 'ok') => ({
  ...{ time: new Date(0).toISOString(), credential: null, action: 'account.create', details: null },
  ...{ source: null, requestId: null, changed: outcome === 'ok', actor, target, outcome },
});

test.each([['lock'], ['cancel', '--yes'], ['remove', '--role', 'sys_administrator']])(
  'account %s reports the tokens of others and the accounts that an administrator made',
  async (verb, ...options) => {
    const { username: maker } = await account({ username: `Maker-${verb}`, roles });
    const [owner, made, cancelled, failed, other] = await Promise.all(
      [{}, {}, { isactive: false }, {}, {}].map((part) => account(part)),
    );
    await createToken(runtime, owner as never, 'left', { by: maker, requestId: 'r' });
    const by = maker.toLowerCase();
    const entries = [made, cancelled].map((it) => creation(by, `${it?.username}`));
    await log(
      ...entries,
      creation(by, `${failed?.username}`, 'account_exists'),
      creation('another', `${other?.username}`),
    );
    const { code, stderr } = await run(['account', verb, maker, ...options, '--force']);
    expect(code).toBe(0);
    expect(stderr.match(/^ {2}(token|account) \S+( of \S+)?$/gm)).toEqual([
      `  token left of ${owner?.username}`,
      `  account ${made?.username}`,
    ]);
  },
);

test('account lock reports the roles that an administrator gave, and the accounts that it opened', async () => {
  const { username: maker } = await account({ username: 'giver', roles });
  const locked = { lockoutend: FOREVER, lock_reason: '' };
  const [kept, copied, lost, coded, opened, unlocked, closed] = await Promise.all(
    [{ roles: ['x', 'sys_administrator'] }, { roles: ['y'] }, {}, {}, {}, {}, locked].map((part) =>
      account(part),
    ),
  );
  const entryOf = (action: string, target: string | undefined, roles_added: readonly string[] = []) => ({
    ...creation(maker, `${target}`),
    action: `account.${action}`,
    details: { roles_added },
  });
  await log(
    entryOf('access', kept?.username, ['sys_administrator']),
    entryOf('access', kept?.username, ['x', 'z']),
    entryOf('copy', copied?.username, ['y']),
    entryOf('access', lost?.username, ['x']),
    entryOf('code', coded?.username),
    entryOf('code', maker),
    { ...entryOf('code', lost?.username), outcome: 'account_locked' },
    ...[closed, opened].map((it) => entryOf('reactivate', it?.username)),
    entryOf('unlock', unlocked?.username),
    { ...entryOf('unlock', lost?.username), changed: false },
  );
  const { stderr } = await run(['account', 'lock', maker, '--force']);
  expect(stderr.match(/^(giver| {2}).*$/gm)).toEqual([
    'giver has reactivated or unlocked 2 accounts:',
    `  account ${unlocked?.username}`,
    `  account ${opened?.username}`,
    'giver has given roles to 2 accounts, which still have them:',
    `  roles of ${copied?.username}: y`,
    `  roles of ${kept?.username}: x, sys_administrator`,
    'giver has made one-time codes of 1 account, whose passwords it may have set:',
    `  password of ${coded?.username}`,
  ]);
});

/** An erased account that has created a token of another one; an administrator erased it. */
async function erasedMaker() {
  const maker = await account({ username: newName('accomplice'), roles });
  const owner = await account();
  await createToken(runtime, owner, 'left', { by: maker.username, requestId: 'r' });
  await cancelAccount(runtime, maker, by('root'));
  const { userid } = await eraseAccount(
    { ...runtime, publish: async (events) => events },
    maker.username,
    await stored(maker),
    by('thief'),
    { days: true },
  );
  for (clock.time += SETTLED_MS; (await completeErasures(runtime, 'run')).left > 0; )
    clock.time += SETTLED_MS;
  return { maker, owner, pseudonym: `erased:${userid}` };
}

test('account lock of an administrator lists the accounts that it has created and that were erased', async () => {
  const { maker, pseudonym } = await erasedMaker();
  const { username } = await account({ username: newName('thief'), roles });
  await log(creation(username, maker.username), {
    ...{ ...creation('root', maker.username), action: 'account.erase' },
    details: { userid: maker.id },
  });
  const { stderr } = await run(['account', 'lock', username, '--force']);
  expect(stderr).toContain(
    `Erased accounts that ${username} had created, by the names for "account lock" and "token revoke --created-by":\n  ${pseudonym}, formerly ${maker.username}\n`,
  );
});

test.each([['its username'], ['its pseudonym']])(
  'account lock of an erased account by %s reports what it has left behind',
  async (what) => {
    const { maker, owner, pseudonym } = await erasedMaker();
    const made = await account();
    await log(creation(maker.username, made.username), {
      ...{ ...creation('root', maker.username), action: 'account.erase' },
      details: { userid: maker.id },
    });
    const named = what === 'its username' ? maker.username : pseudonym.toUpperCase();
    const { code, stderr } = await run(['account', 'lock', named]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`account_erased: `)]);
    expect(stderr).toContain(`What is left of it has the name ${pseudonym}.`);
    expect(stderr.match(/^ {2}(token|account) \S+( of \S+)?$/gm)).toEqual([
      `  token left of ${owner.username}`,
      `  account ${made.username}`,
    ]);
    expect((await run(['audit', '--actor', pseudonym])).stdout).toContain(`account.create  ${made.username}`);
  },
);

test.each([['its username'], ['its pseudonym']])(
  'token revoke --created-by finds the tokens of an erased account by %s',
  async (what) => {
    const { maker, owner, pseudonym } = await erasedMaker();
    const named = what === 'its username' ? maker.username : pseudonym;
    const { code, stderr } = await run(['token', 'revoke', '--created-by', named, '--yes']);
    expect(code, stderr).toBe(0);
    expect((await stored(owner)).token_count).toBe(0);
  },
);

test('token revoke --created-by tells an operator without the erasure key what to name instead', async () => {
  const { maker, owner } = await erasedMaker();
  secrets.script((operation) => {
    if (operation === 'GetSecretValue') throw new ServiceError('AccessDeniedException', 'No');
    return undefined;
  });
  const { code, stderr } = await run(['token', 'revoke', '--created-by', maker.username, '--yes']);
  secrets.script(() => undefined);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`name erased:<id>, which "audit --target`)]);
  expect((await stored(owner)).token_count).toBe(1);
});

test('account lock names the newest 100 accounts', async () => {
  const { username } = await account({ username: 'busy', roles });
  const names = Array.from({ length: 102 }, (_, n) => `made-${n}`);
  for (const name of names) await account({ username: name });
  await log(...names.map((name) => creation(username, name)));
  const { stderr } = await run(['account', 'lock', username, '--force']);
  expect(stderr).toContain(
    'busy has created 100 accounts that the audit log names and that are active, besides 2 older ones:',
  );
  expect(stderr).toContain('  account made-101\n');
  expect(stderr).not.toMatch(/account made-[01]\n/);
});

test('reportLeftBehind reports the tokens, and the fault, when the audit log cannot be read', async () => {
  const maker = await account({ username: 'Unread', roles });
  const owner = await account();
  await createToken(runtime, owner, 'left', { by: 'Unread', requestId: 'r' });
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  const audit = { read: () => Promise.reject(new Error('denied')) };
  await reportLeftBehind({ runtime, audit } as never, maker);
  expect(printed.mock.calls.flat()).toEqual([
    expect.stringMatching(/^Unread has created 1 token of other accounts/),
    `  token left of ${owner.username}`,
    'What Unread has made could not be listed completely: denied',
  ]);
  printed.mockRestore();
});
