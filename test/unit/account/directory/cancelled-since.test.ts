import { beforeAll, expect, test } from 'vitest';
import { browseAccounts } from '#lib/account/directory/browse';
import { directoryItem } from '#lib/account/directory/item';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { inParallel } from '#lib/async/in-parallel';
import type { Cancellation } from '#lib/item/cancellation';
import { cancellationKey, cursorSecretKey, type Key } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { put, remove, type TransactWrite, transact } from '#lib/table/write';
import { by, NOON, openTestTable } from '../../support/engine.ts';

const { table, runtime, clock, account, stored, wire } = await openTestTable();
const root = by('Root');

/** Cancelled one second after another, in another order than that of their names. */
const NAMES = ['Dora', 'carl', 'Bob', 'alan', 'eve'];
const at = (n: number) => NOON + n * 1000;
const isoAt = (n: number) => new Date(at(n)).toISOString();

beforeAll(async () => {
  await put(table, cursorSecretKey, { secret: 'x'.repeat(43) });
  for (const [n, username] of NAMES.entries()) {
    const target = await account({ username });
    clock.time = at(n);
    await cancelAccount(runtime, target, root);
  }
  await account({ username: 'active' });
  await account({ username: 'before', isactive: false });
});

const since = (time: number, request: object = {}) =>
  browseAccounts(runtime, { cancelled_since: time, ...request });
const names = ({ items }: { items: { username: string }[] }) => items.map(({ username }) => username);
const namesSince = async (time: number, request: object = {}) => names(await since(time, request));

test('browseAccounts with cancelled_since lists cancelled accounts by the time of cancellation', async () => {
  const { items } = await since(NOON);
  const expected = NAMES.map(async (username) =>
    directoryItem(await stored({ username }), NOON, runtime.settings),
  );
  expect(items).toEqual(await Promise.all(expected));
  expect(items[1]).toMatchObject({ cancelled_at: isoAt(1), cancelled_by: 'Root', isactive: false });
});

test.each<[number, string[], object?]>([
  [at(-1), NAMES],
  [at(2), NAMES.slice(2)],
  [at(2) + 1, NAMES.slice(3)],
  [at(4), ['eve']],
  [at(4) + 1, []],
  [NOON, ['Bob'], { q: 'bo' }],
])('browseAccounts with cancelled_since %i lists %j', async (time, expected, filter) => {
  expect(await namesSince(time, filter)).toEqual(expected);
});

test('browseAccounts with cancelled_since returns page after page, with cursors of its own', async () => {
  const first = await since(at(1), { limit: 3 });
  expect(names(first)).toEqual(['carl', 'Bob', 'alan']);
  const second = await since(at(1), { limit: 3, cursor: first.next_cursor });
  expect(names(second)).toEqual(['eve']);
  expect(second).not.toHaveProperty('next_cursor');
  const { next_cursor: other } = await browseAccounts(runtime, { limit: 1 });
  const { next_cursor: cursor } = first;
  for (const request of [
    { cursor },
    { cancelled_since: at(2), cursor },
    { cancelled_since: at(1), cursor: other },
  ])
    await expect(browseAccounts(runtime, request)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('browseAccounts with cancelled_since reads no other account', async () => {
  wire.reset();
  await since(at(3));
  const inputs = wire.commands.map(({ input }) => input as { IndexName?: string });
  expect(inputs.filter(({ IndexName }) => IndexName === 'GSI1')).toEqual([]);
  const read = inputs.flatMap((input) => JSON.stringify(input).match(/ACCOUNT#\w+/g) ?? []);
  expect(read).toEqual(['ACCOUNT#alan', 'ACCOUNT#eve']);
});

test('browseAccounts with cancelled_since omits an account that was reactivated, also between its two reads', async () => {
  const back = await account();
  clock.time = at(10);
  await cancelAccount(runtime, back, root);
  const request = { q: back.username };
  expect(await namesSince(at(5), request)).toEqual([back.username]);
  const entry = cancellationKey(back.username, isoAt(10));
  const item = await get(table, entry);
  await reactivateAccount(runtime, await stored(back), root);
  expect(await namesSince(at(5), request)).toEqual([]);
  // The entry is read before the reactivation and the account after it.
  await put(table, entry, item as Cancellation);
  expect(await namesSince(at(5), request)).toEqual([]);
  clock.time = at(11);
  await cancelAccount(runtime, await stored(back), root);
  expect((await since(at(5), request)).items).toMatchObject([{ cancelled_at: isoAt(11) }]);
  await reactivateAccount(runtime, await stored(back), root);
  await remove(table, entry);
});

test('browseAccounts with cancelled_since lists an account whose entry is of an earlier version', async () => {
  const { username } = await account();
  clock.time = at(20);
  await cancelAccount(runtime, await stored({ username }), root);
  const entry = cancellationKey(username, isoAt(20));
  await put(table, entry, { username, cancelled_at: isoAt(20) } as object as Cancellation);
  expect(await namesSince(at(20), { q: username })).toEqual([username]);
  // The other tests list exactly their own.
  await remove(table, entry);
});

test('browseAccounts with cancelled_since reads at most 1000 entries a page for every limit', async () => {
  const item = { username: 'many', cancelled_at: isoAt(100) };
  const keys = Array.from({ length: 1001 }, (_, n) => cancellationKey(`many-${n}`, isoAt(100)));
  const chunks = Array.from({ length: 11 }, (_, n) => keys.slice(n * 100, n * 100 + 100));
  const writeAll = (write: (key: Key) => TransactWrite) =>
    inParallel(chunks, (chunk) => transact(table, chunk.map(write)), 2);
  await writeAll((key) => ({ Put: { Item: { ...key, ...item } } }));
  const page = await since(at(100), { limit: 10_000 });
  expect(page.items).toEqual([]);
  expect(page.next_cursor).toBeDefined();
  expect(await since(at(100), { cursor: page.next_cursor })).not.toHaveProperty('next_cursor');
  await writeAll((key) => ({ Delete: { Key: { ...key } } }));
});

test('browseAccounts with cancelled_since adds names to the accounts', async () => {
  const { items } = await since(at(3), { names: true, limit: 2 });
  expect(items).toMatchObject(['alan', 'eve'].map((username) => ({ username, app_names: ['core'] })));
});
