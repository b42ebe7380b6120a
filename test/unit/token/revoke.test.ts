import { describe, expect, test } from 'vitest';
import { readAccount } from '#lib/account/account';
import type { Account } from '#lib/item/account';
import { tokenNameKey } from '#lib/table/keys';
import { remove } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { listTokens } from '#lib/token/list';
import { revokeTokens, tokensSince } from '#lib/token/revoke';
import { by, NOON, openTestTable } from '../support/engine.ts';

const MINUTE = 60_000;

/** A table of its own each, as all of its tokens count; the owners have two tokens a minute, from noon on. */
async function withTokens(owners: number, minutes: number, settings = {}) {
  const bench = await openTestTable(settings);
  const accounts = await Promise.all(Array.from({ length: owners }, () => bench.account()));
  for (const owner of accounts)
    for (let minute = 0; minute < minutes; minute++)
      for (const name of ['first', 'second']) {
        const now = () => NOON + minute * MINUTE;
        await createToken({ ...bench.runtime, now }, owner, `${name}-${minute}`, by('admin'));
      }
  return { ...bench, accounts };
}

const { table, wire, runtime, accounts } = await withTokens(5, 3);
const others = await withTokens(1, 1, { Events: 'token_delete' });

const revoke = async (since: number, tell?: Parameters<typeof revokeTokens>[3]) =>
  revokeTokens(runtime, await tokensSince(table, since), by('admin'), tell);

/** The names that each account has, and the number that it counts. */
const left = () =>
  Promise.all(
    accounts.map(async ({ username }) => ({
      names: (await listTokens(table, username)).items.map(({ name }) => name),
      counted: ((await readAccount(table, username)) as Account).token_count,
    })),
  );
const each = (names: string[]) => accounts.map(() => ({ names, counted: names.length }));

describe('a revocation of all tokens since a time', () => {
  test('finds those that were made at that time or later', async () => {
    expect(await tokensSince(table, NOON + 3 * MINUTE)).toEqual({ tokens: 30, found: [] });
    expect((await tokensSince(table, NOON + 2 * MINUTE)).found).toHaveLength(10);
    expect((await tokensSince(table, NOON + 2 * MINUTE + 1)).found).toHaveLength(0);
  });

  test('deletes these with their names and counts, and no others', async () => {
    const told: number[] = [];
    expect(await revoke(NOON + 2 * MINUTE, ({ done }) => told.push(done))).toEqual({
      tokens: 30,
      revoked: 10,
    });
    expect(told).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await left()).toEqual(each(['first-0', 'first-1', 'second-0', 'second-1']));
  });

  test('that was cut off is completed by another, and counts nothing twice', async () => {
    let written = 0;
    wire.script((operation) =>
      operation === 'TransactWriteItems' && ++written > 4
        ? { status: 400, body: { __type: 'AccessDeniedException' } }
        : undefined,
    );
    await expect(revoke(NOON + MINUTE)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    wire.reset();
    expect((await tokensSince(table, 0)).tokens).toBe(16);
    expect(await revoke(NOON + MINUTE)).toEqual({ tokens: 16, revoked: 6 });
    expect(await left()).toEqual(each(['first-0', 'second-0']));
  });

  test('made by two at once deletes and counts each token once', async () => {
    await Promise.all([revoke(NOON), revoke(NOON)]);
    expect(await left()).toEqual(each([]));
    expect((await tokensSince(table, 0)).tokens).toBe(0);
  });

  test('is told as other deletions are, where these are', async () => {
    const [owner] = others.accounts as [Account];
    const told: unknown[] = [];
    const publish = async (events: readonly unknown[]) => {
      told.push(...events);
      return [];
    };
    const second = { tokens: 2, found: (await tokensSince(others.table, NOON)).found.slice(1) };
    await revokeTokens({ ...others.runtime, publish }, second, by('operator'));
    expect(told).toMatchObject([{ detailType: 'token_delete', detail: { username: owner.username } }]);
  });

  test('deletes a token that a backup has without its name', async () => {
    const [owner] = others.accounts as [Account];
    await remove(others.table, tokenNameKey(owner.username, 'first-0'));
    await revokeTokens(others.runtime, await tokensSince(others.table, NOON), by('admin'));
    expect(await tokensSince(others.table, 0)).toEqual({ tokens: 0, found: [] });
  });
});
