import { beforeAll, describe, expect, test } from 'vitest';
import { browse } from '#lib/account/contracts';
import { accountsPage, browseAccounts } from '#lib/account/directory/browse';
import { directoryItem } from '#lib/account/directory/item';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { recordUse } from '#lib/auth/activity';
import type { Account } from '#lib/item/account';
import { cursorSecretKey, SHARDS } from '#lib/table/keys';
import { put } from '#lib/table/write';
import { DAY_MS } from '#lib/time';
import { by, NOON, openTestTable } from '../../support/engine.ts';
import { lockUntil } from '../../support/set-attributes.ts';

const { table, runtime, clock, account, operations } = await openTestTable();

/** Created in another order than that of their names. */
const accounts: Record<string, Account> = {};

beforeAll(async () => {
  await put(table, cursorSecretKey, { secret: 'x'.repeat(43) });
  const created = [
    ['Dora', NOON - 12 * 3_600_000],
    ['carl', NOON - 12 * 3_600_000 - 1],
    ['Bob', NOON - 6 * DAY_MS - 12 * 3_600_000],
    ['alan', NOON - 6 * DAY_MS - 12 * 3_600_000 - 1],
    ['eve', NOON],
  ] as const;
  for (const [username, time] of created) {
    clock.time = time;
    const created = await account({ username, roles: ['sys_administrator'] });
    await recordUse(runtime, created);
    accounts[username] = { ...created, never_used: false };
  }
  clock.time = NOON;
});

const named = (...names: string[]) => names.map((name) => accounts[name] as Account);
const [ALL, STATS] = [
  ['alan', 'Bob', 'carl', 'Dora', 'eve'],
  { count: 5, last_week: 4, today: 2, as_of: '2026-11-20T11:59:50.000Z' },
];

describe('browsing', () => {
  test('lists the directory by lower-cased username, with its statistics', async () => {
    expect(await browseAccounts(runtime, {})).toEqual({
      items: named(...ALL).map((each) => directoryItem(each, NOON)),
      stats: { ...STATS, locked: 0 },
    });
  });

  test('answers a page and the way to the next, with the statistics of all on each', async () => {
    const first = await browseAccounts(runtime, { limit: 3 });
    expect(first.items.map(({ username }) => username)).toEqual(['alan', 'Bob', 'carl']);
    const second = await browseAccounts(runtime, { limit: 3, cursor: first.next_cursor });
    expect(second.items.map(({ username }) => username)).toEqual(['Dora', 'eve']);
    expect(second).not.toHaveProperty('next_cursor');
    expect([first.stats, second.stats]).toEqual([
      { ...STATS, locked: 0 },
      { ...STATS, locked: 0 },
    ]);
  });

  test('reads no statistics for who goes through the pages alone', async () => {
    const { next_cursor: cursor } = await accountsPage(runtime, { limit: 3 });
    expect((await accountsPage(runtime, { limit: 3, cursor })).items).toHaveLength(2);
    const queries = operations().filter((operation) => operation === 'Query');
    expect(queries).toHaveLength(2 * SHARDS);
  });

  test('counts as locked who is locked for good and who is for a time, until that ends', async () => {
    const [bob, carl, dora] = named('Bob', 'carl', 'Dora') as [Account, Account, Account];
    await lockAccount(runtime, bob, by('eve'));
    await lockUntil(table, carl, NOON + 1);
    await lockUntil(table, dora, NOON + 60_000);
    const lockedAt = async (time: number) => {
      clock.time = time;
      const { items, stats } = await browseAccounts(runtime, {});
      return [items.filter(({ islocked }) => islocked).length, stats.locked];
    };
    // The end of a lockout is counted in steps of 10 s, and it shows at once in the item.
    expect(await lockedAt(NOON)).toEqual([3, 3]);
    expect(await lockedAt(NOON + 1)).toEqual([2, 3]);
    expect(await lockedAt(NOON + 10_000)).toEqual([2, 2]);
    expect(await lockedAt(NOON + 60_000)).toEqual([1, 2]);
    expect(await lockedAt(NOON + 70_000)).toEqual([1, 1]);
  });

  test('answers what its contract says', async () => {
    const page = await browseAccounts(runtime, { limit: 2 });
    expect(browse.response().safeParse(page).success).toBe(true);
    expect(browse.response().safeParse(await browseAccounts(runtime, {})).success).toBe(true);
  });
});
