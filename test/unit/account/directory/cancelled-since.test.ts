import { beforeAll, describe, expect, test } from 'vitest';
import { browse } from '#lib/account/contracts';
import { browseAccounts } from '#lib/account/directory/browse';
import { directoryItem } from '#lib/account/directory/item';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import type { Account } from '#lib/item/account';
import { accountKey, cancellationKey, cursorSecretKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove } from '#lib/table/write';
import { by, NOON, openTestTable } from '../../support/engine.ts';
import { errorsOf } from '../../support/errors-of.ts';
import { setAttributes } from '../../support/set-attributes.ts';

const { table, runtime, clock, account, wire } = await openTestTable();
const root = by('Root');

/** Cancelled a second after each other, in another order than that of their names. */
const NAMES = ['Dora', 'carl', 'Bob', 'alan', 'eve'];
const at = (n: number) => NOON + n * 1000;

beforeAll(async () => {
  await put(table, cursorSecretKey, { secret: 'x'.repeat(43) });
  for (const [n, username] of NAMES.entries()) {
    const target = await account({ username });
    clock.time = at(n);
    await cancelAccount(runtime, target, root);
  }
  await account({ username: 'active' });
  await setAttributes(table, await account({ username: 'before' }), { isactive: false });
  clock.time = NOON;
});

const stored = async (username: string) => (await get(table, accountKey(username))) as Account;
const since = async (time: number, request: object = {}) =>
  browseAccounts(runtime, { cancelled_since: time, ...request });
const names = ({ items }: { items: { username: string }[] }) => items.map(({ username }) => username);

describe('the accounts that are cancelled since a time', () => {
  test('are listed by when they were, with their directory items and the statistics of all', async () => {
    const page = await since(NOON);
    expect(page).toEqual({
      items: await Promise.all(NAMES.map(async (name) => directoryItem(await stored(name), NOON))),
      stats: { count: 7, locked: 0, last_week: 0, today: 0, as_of: '2026-11-20T11:59:50.000Z' },
    });
    expect(page.items[1]).toMatchObject({
      cancelled_at: '2026-11-20T12:00:01.000Z',
      cancelled_by: 'Root',
      isactive: false,
    });
    expect(browse.response().safeParse(page).success).toBe(true);
  });

  test.each([
    [at(-1), NAMES],
    [at(2), NAMES.slice(2)],
    [at(2) + 1, NAMES.slice(3)],
    [at(4), ['eve']],
    [at(4) + 1, []],
  ])('are those of that very millisecond and later: %i', async (time, expected) => {
    expect(names(await since(time))).toEqual(expected);
  });

  test('are answered page by page', async () => {
    const first = await since(at(1), { limit: 3 });
    expect(names(first)).toEqual(['carl', 'Bob', 'alan']);
    const second = await since(at(1), { limit: 3, cursor: first.next_cursor });
    expect(names(second)).toEqual(['eve']);
    expect(second).not.toHaveProperty('next_cursor');
  });

  test('have cursors of their own', async () => {
    const { next_cursor: cursor } = await since(NOON, { limit: 1 });
    await expect(browseAccounts(runtime, { cursor })).rejects.toMatchObject({ code: 'invalid_request' });
    const { next_cursor: other } = await browseAccounts(runtime, { limit: 1 });
    await expect(since(NOON, { cursor: other })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('are found without reading any other account', async () => {
    wire.reset();
    await since(at(3));
    const indexes = wire.commands.map(({ input }) => (input as { IndexName?: string }).IndexName);
    expect(indexes.filter((name) => name === 'GSI1')).toEqual([]);
    const read = wire.commands.filter(({ operation }) => operation === 'BatchGetItem');
    const accounts = read.map(({ input }) => JSON.stringify(input).match(/ACCOUNT#\w+/g));
    expect(accounts.filter((names) => names)).toEqual([['ACCOUNT#alan', 'ACCOUNT#eve']]);
  });

  test('are without who was reactivated, be it between the two reads', async () => {
    const back = await account({ username: 'back' });
    clock.time = at(10);
    await cancelAccount(runtime, back, root);
    expect(names(await since(at(5)))).toEqual(['back']);
    const entry = cancellationKey('back', '2026-11-20T12:00:10.000Z');
    const { username, cancelled_at } = (await get(table, entry)) as {
      username: string;
      cancelled_at: string;
    };
    await reactivateAccount(runtime, await stored('back'), root);
    expect(names(await since(at(5)))).toEqual([]);
    // As if it were read before and its account after.
    await put(table, entry, { username, cancelled_at });
    expect(names(await since(at(5)))).toEqual([]);
    clock.time = at(11);
    await cancelAccount(runtime, await stored('back'), root);
    expect((await since(at(5))).items).toMatchObject([{ cancelled_at: '2026-11-20T12:00:11.000Z' }]);
    await remove(table, entry);
  });

  test('are at most a thousand a page, of whatever is asked for', async () => {
    for (let n = 0; n < 1001; n++) {
      const cancelled_at = new Date(at(100)).toISOString();
      const username = `many-${String(n).padStart(4, '0')}`;
      await put(table, cancellationKey(username, cancelled_at), { username, cancelled_at });
    }
    const page = await since(at(100), { limit: 10_000 });
    expect(page.items).toEqual([]);
    expect(page.next_cursor).toBeDefined();
    expect(await since(at(100), { cursor: page.next_cursor })).not.toHaveProperty('next_cursor');
  });
});

describe('the time', () => {
  test.each([
    ['2026-11-20T12:00:00Z', NOON],
    ['2026-11-20T12:00:00.123Z', NOON + 123],
    ['2026-11-20T14:00:00+02:00', NOON],
    ['2026-11-20T12:00:00.123999Z', NOON + 123],
  ])('may be %s', (text, expected) => {
    expect(browse.query().parse({ cancelled_since: text })).toEqual({ cancelled_since: expected });
  });

  test.each(['', '2026-11-20', '2026-11-20T12:00:00', 'yesterday', '1h', '2026-13-01T00:00:00Z', '0'])(
    'may not be "%s"',
    (text) => {
      expect(errorsOf(browse.query(), { cancelled_since: text })).toEqual([
        { field: 'cancelled_since', message: 'Must be a time such as 2026-11-20T05:30:00Z' },
      ]);
    },
  );
});
