import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccounts } from '#lib/account/account';
import { createAccount } from '#lib/account/create';
import { allUsernames } from '#lib/table/listing';
import { createToken } from '#lib/token/create';
import { listTokens } from '#lib/token/list';
import { openTarget, type Target } from '../../infra/admin/target.ts';
import { openWired } from './cut-off.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { json } from './operator.ts';
import { noted } from './service.ts';

/** An instance of its own, and a wire to its table that kills a command after some of its changes. */
const data = await newFolder();
const ACCOUNTS = 24;
/** Fewer than are under way at once, so that some of these are cut off. */
const CHANGES = 6;
let target: Target;
let wire: Awaited<ReturnType<typeof openWired>>;
const since = new Date().toISOString();

beforeAll(async () => {
  const instance = await startInstance({ data });
  noted(instance.ready.admin.token as string);
  target = await openTarget({ data });
  for (let n = 0; n < ACCOUNTS; n++) {
    const account = await createAccount(target.runtime, { username: `user-${n}` });
    noted((await createToken(target.runtime, account, 'first', target.actor)).value as string);
  }
  wire = await openWired(instance);
});
afterAll(() => wire.close());

/** The stamp, the tokens and the count of tokens of each account. */
async function accounts() {
  const { table } = target.runtime;
  const names: string[] = [];
  for await (const page of allUsernames(table, 50)) names.push(...page);
  const found = await readAccounts(table, names);
  return Promise.all(
    names.map(async (username, index) => ({
      stamp: found[index]?.stamp,
      count: found[index]?.token_count,
      tokens: (await listTokens(table, username)).items.length,
    })),
  );
}

const killed = (args: readonly string[], change: string) => wire.killed(args, change, CHANGES);
const again = async (args: readonly string[]) => (await json(args, '', { where: ['--data', data] })).answer;

test('account reset-stamps completes a killed run, and changes no stamp twice', async () => {
  const before = await accounts();
  const args = ['account', 'reset-stamps', '--yes', '--before', new Date().toISOString()];
  await killed(args, 'UpdateItem');
  const between = await accounts();
  const changed = between.filter(({ stamp }, index) => stamp !== before[index]?.stamp);
  expect(changed).toHaveLength(CHANGES);

  expect(await again(args)).toMatchObject({ accounts: ACCOUNTS + 1, reset: ACCOUNTS + 1 - CHANGES });
  const after = await accounts();
  expect(after.filter(({ stamp }, index) => stamp === before[index]?.stamp)).toEqual([]);
  expect(after.filter(({ stamp }) => changed.some((each) => each.stamp === stamp))).toHaveLength(CHANGES);
});

test('token revoke completes a killed run, and counts no token twice', async () => {
  const args = ['token', 'revoke', '--yes', '--created-since', since];
  await killed(args, 'TransactWriteItems');
  const between = await accounts();
  expect(between.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(ACCOUNTS + 1 - CHANGES);
  expect(between.filter(({ count, tokens }) => count !== tokens)).toEqual([]);

  expect(await again(args)).toMatchObject({ revoked: ACCOUNTS + 1 - CHANGES });
  expect((await accounts()).filter(({ count, tokens }) => count !== 0 || tokens !== 0)).toEqual([]);
});

test('the audit log has the start of each run, and the end of each completed run', async () => {
  for (const action of ['admin account reset-stamps', 'admin token revoke']) {
    const entries = await again(['audit', '--action', action]);
    const inWired = await json(['audit', '--action', action], '', { where: ['--data', wire.wired] });
    expect(inWired.answer).toMatchObject([{ outcome: 'started', changed: null }]);
    expect(entries).toMatchObject([
      { outcome: 'started', changed: null },
      { outcome: 'ok', changed: true },
    ]);
  }
});
