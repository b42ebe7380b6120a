import { expect, test } from 'vitest';
import type { Account } from '#lib/item/account';
import { accountKey, tokenNameKey } from '#lib/table/keys';
import { remove } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { listTokens } from '#lib/token/list';
import { revokeAllTokens, revokeTokens, tokensSince } from '#lib/token/revoke';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { failing, together } from '../table/inputs.ts';

const { table, wire, clock, runtime, account, stored } = await openTestTable({ Events: 'token_delete' });
const admin = by('admin');

/** Times of the tests: each test creates tokens later than all before, and revokes them from that time on. */
let start = NOON;

/** Owners with the tokens `first` and `second`, and `late` a minute later. */
async function owners(count: number) {
  start += 3_600_000;
  const accounts = await Promise.all(Array.from({ length: count }, () => account()));
  for (const owner of accounts)
    for (const name of ['first', 'second', 'late']) {
      clock.time = start + (name === 'late' ? 60_000 : 0);
      await createToken(runtime, owner, name, admin);
    }
  wire.reset();
  return { accounts, late: start + 60_000 };
}

/** Checks that each account has exactly the tokens of these names, and counts them. */
async function expectNames(accounts: readonly Account[], names: readonly string[]) {
  for (const owner of accounts) {
    expect((await listTokens(runtime, await stored(owner))).items.map(({ name }) => name)).toEqual(names);
    expect((await stored(owner)).token_count).toBe(names.length);
  }
}

const revokeSince = async (since: number, report?: Parameters<typeof revokeTokens>[3]) =>
  revokeTokens(runtime, await tokensSince(runtime, since), admin, report);

test('revokeTokens deletes these tokens with their names and counts, and no others', async () => {
  const { accounts, late } = await owners(5);
  expect((await tokensSince(runtime, start)).found).toHaveLength(15);
  expect((await tokensSince(runtime, late + 1)).found).toEqual([]);
  expect((await tokensSince(runtime, start, 'ADMIN')).found).toHaveLength(15);
  expect((await tokensSince(runtime, start, 'other')).found).toEqual([]);
  const reported: unknown[] = [];
  const { tokens, found } = await tokensSince(runtime, 0);
  // One owner in parallel with another: no deletion ends before all have begun.
  wire.script(together(5, 'TransactWriteItems'));
  expect(found).toHaveLength(tokens);
  expect(await revokeSince(late, async (_, progress) => void reported.push(progress))).toEqual({
    tokens,
    revoked: 5,
  });
  expect(reported).toEqual([1, 2, 3, 4, 5].map((done) => ({ done, total: 5 })));
  await expectNames(accounts, ['first', 'second']);
});

test('revokeTokens continues after a short outage', async () => {
  const { accounts, late } = await owners(1);
  wire.script(failing(DOWN, 3, 'TransactWriteItems'));
  expect(await revokeSince(late)).toMatchObject({ revoked: 1 });
  await expectNames(accounts, ['first', 'second']);
});

test('revokeTokens completes a revocation that was interrupted, and counts nothing twice', async () => {
  const { accounts } = await owners(5);
  let written = 0;
  wire.script((operation) =>
    operation === 'TransactWriteItems' && ++written > 4
      ? { status: 400, body: { __type: 'AccessDeniedException' } }
      : undefined,
  );
  await expect(revokeSince(start)).rejects.toMatchObject({ name: 'AccessDeniedException' });
  wire.reset();
  expect(await revokeSince(start)).toMatchObject({ revoked: 11 });
  await expectNames(accounts, []);
});

test('revokeTokens deletes a token that a backup has without its name or its account', async () => {
  const [ada, bob] = (await owners(2)).accounts as [Account, Account];
  await remove(table, tokenNameKey(ada.username, 'first'));
  await remove(table, accountKey(bob.username));
  await revokeSince(start);
  expect((await tokensSince(runtime, start)).found).toEqual([]);
});

const revokeAll = (owner: Account, on = runtime) => revokeAllTokens(on, owner, admin);

test('revokeAllTokens ends the tokens of one account only, and publishes the event of each', async () => {
  const [ada, bob] = (await owners(2)).accounts as [Account, Account];
  const deleted: unknown[] = [];
  const publish = async (events: readonly { readonly detail: unknown }[]) => {
    deleted.push(...events.map(({ detail }) => (detail as { token_name: string }).token_name));
    return [];
  };
  const { data, changed } = await revokeAll(await stored(ada), { ...runtime, publish });
  expect([data, changed]).toEqual([{ username: ada.username, revoked: 3 }, true]);
  expect(deleted).toEqual(['first', 'late', 'second']);
  await expectNames([ada], []);
  await expectNames([bob], ['first', 'late', 'second']);
  expect(await revokeAll(await stored(ada))).toMatchObject({ data: { revoked: 0 }, changed: false });
});

test('revokeAllTokens ends the tokens of a cancelled account', async () => {
  const [ada] = (await owners(1)).accounts as [Account];
  expect(await revokeAll(await setAttributes(table, ada, { isactive: false }))).toMatchObject({
    data: { revoked: 3 },
  });
  await expectNames([ada], []);
});

test('revokeAllTokens counts each token once when three callers revoke at once', async () => {
  const [ada] = (await owners(1)).accounts as [Account];
  const read = await stored(ada);
  const answers = await Promise.all([1, 2, 3].map(() => revokeAll(read)));
  expect(answers.reduce((sum, { data }) => sum + data.revoked, 0)).toBe(3);
  await expectNames([ada], []);
});
