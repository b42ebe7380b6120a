import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { putAll } from '#lib/table/bulk';
import { prepareCursors } from '#lib/table/cursor';
import { cursorSecretKey, type Key, type Listing, listingRanges, SHARDS } from '#lib/table/keys';
import { allUsernames, everythingIn, listPage, type PageRequest } from '#lib/table/listing';
import { shareOf } from '#lib/table/merge';
import { put, remove } from '#lib/table/write';
import { roundTrips } from '../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../support/engine.ts';
import { pagesOf } from '../support/pages.ts';
import { removeAll } from '../support/remove-all.ts';
import { answering, endingPages } from './inputs.ts';

interface Entry {
  readonly GSI1SK: string;
}
const LISTING: Listing<Entry> = { name: 'ACCOUNTS', index: 'GSI1' };
const OTHER: Listing<Entry> = { name: 'TOKENS', index: 'GSI1' };

const { table, wire, operations, inputs } = await openTestTable();
await put(table, cursorSecretKey, { secret: 'secret' });
await prepareCursors(table);

let placed: Key[] = [];

const entryOf = (name: string, shard: number, listing = LISTING) => ({
  ...{ PK: 'ENTRY', SK: `${listing.name}-${name}` },
  ...{ GSI1PK: listingRanges(listing, undefined)[shard]?.PK, GSI1SK: name },
});
async function store(entries: readonly Key[]) {
  placed.push(...entries);
  await putAll(table, entries);
}
/** Stores entries in one shard of a listing. */
const place = (names: Iterable<string>, shard: number, listing = LISTING) =>
  store([...names].map((name) => entryOf(name, shard, listing)));

/** Stores entries in shards by turns, so that neighbours are apart. */
async function spread(names: readonly string[]) {
  await store(names.map((name, index) => entryOf(name, (index * 3) % SHARDS)));
  wire.reset();
}

beforeEach(async () => {
  await removeAll(table, placed);
  placed = [];
  wire.reset();
});

type View<T> = (entry: Entry) => T | undefined;
const name: View<string> = ({ GSI1SK }) => GSI1SK;
const list = (request: PageRequest = {}, view = name) => listPage(table, LISTING, request, view);

/** The items of all pages, page by page. */
async function allPages(request: PageRequest = {}, view = name) {
  const pages = await pagesOf((cursor) => list({ ...request, cursor }, view));
  return pages.map(({ items }) => items);
}

const NAMES = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
const vowel: View<string> = ({ GSI1SK }) => ('aeiou'.includes(GSI1SK) ? GSI1SK : undefined);

const chunks = (size: number) =>
  Array.from({ length: Math.ceil(26 / size) }, (_, n) => NAMES.slice(n * size, (n + 1) * size));

test.each([{}, { limit: 1 }])('a listing without items is one empty page: %j', async (request) => {
  expect(await list(request)).toEqual({ items: [] });
});

test('a listing merges its shards in the order of the index, as the view returns each item', async () => {
  await spread(NAMES.toReversed());
  await place('0', 0, OTHER);
  expect(await list()).toEqual({ items: NAMES });
  const upper = NAMES.map((each) => each.toUpperCase());
  expect(await list({}, ({ GSI1SK }) => GSI1SK.toUpperCase())).toEqual({ items: upper });
  expect(await listPage(table, OTHER, {}, name)).toEqual({ items: ['0'] });
});

test.each([1, 5, 13, 26, 27])('a listing has no gap and no repeat in pages of %i', async (limit) => {
  await spread(NAMES);
  expect(await allPages({ limit })).toEqual(chunks(limit));
  wire.script(endingPages(2));
  expect(await allPages({ limit }), 'by two items').toEqual(chunks(limit));
});

test('a listing begins after a sort key when there is no cursor', async () => {
  await spread(NAMES);
  expect(await allPages({ after: 'w', limit: 2 })).toEqual([['x', 'y'], ['z']]);
});

test.each([
  [26, undefined, [['a', 'e', 'i', 'o', 'u']]],
  [5, undefined, [['a', 'e'], ['i'], ['o'], [], ['u'], []]],
  [1, undefined, NAMES.map((GSI1SK) => [vowel({ GSI1SK }) ?? []].flat())],
  [26, 2, [['a', 'e'], ['i', 'o'], ['u']]],
])(
  'a listing examines %i items for a page of %s when the view omits some',
  async (examine, limit, expected) => {
    await spread(NAMES);
    expect(await allPages({ examine, limit }, vowel)).toEqual(expected);
  },
);

test('a listing continues after its cursor when the item of the cursor was removed', async () => {
  await spread(NAMES);
  const { next_cursor: cursor } = await list({ limit: 3 });
  await remove(table, { PK: 'ENTRY', SK: 'ACCOUNTS-c' });
  await place(['bb', 'ca'], 0);
  expect((await list({ limit: 2, cursor })).items).toEqual(['ca', 'd']);
});

const refused = { code: 'invalid_request', errors: [{ field: 'cursor' }] };

test('a cursor is valid for its listing and its binding only, and reads nothing elsewhere', async () => {
  await spread(NAMES);
  const { next_cursor: cursor } = await list({ examine: 3, boundTo: 'a' }, vowel);
  expect((await list({ examine: 3, boundTo: 'a', cursor }, vowel)).items).toEqual(['e']);
  for (const boundTo of ['b', '', undefined])
    await expect(list({ boundTo, cursor })).rejects.toMatchObject(refused);
  const { next_cursor: unbound } = await list({ limit: 1 });
  await expect(list({ boundTo: 'a', cursor: unbound })).rejects.toMatchObject(refused);
  wire.reset();
  await expect(listPage(table, OTHER, { cursor: unbound }, name)).rejects.toMatchObject(refused);
  expect(operations()).toEqual([]);
});

const SHARES = { 1: 3, 26: 10, 1000: 160, 9000: 1227, 10000: 1227, none: 1227 };

test.each(Object.entries(SHARES))(
  'the partitions of a listing are each read once for a page of %s, up to %i items',
  async (size, share) => {
    const limit = size === 'none' ? undefined : Number(size);
    await spread(NAMES);
    await list({ limit });
    const limits = inputs().map(({ Limit }) => Limit);
    expect(limits.slice(0, SHARDS)).toEqual(Array(SHARDS).fill(share));
    if (limit !== 1) expect(limits).toHaveLength(SHARDS);
  },
);

test('the partitions of a listing are read again only when they have less than their share of the rest', async () => {
  const shares = [
    [3, NAMES],
    [5, ['z1', 'z2', 'z3']],
    [1, ['a1', 'a2', 'a3', ...NAMES.map((each) => `zz${each}`)]],
  ] as const;
  for (const [shard, names] of shares) await place(names, shard);
  wire.reset();
  const first = ['a', 'a1', 'a2', 'a3', ...'bcdefg'];
  expect((await list({ limit: 10 })).items).toEqual(first);
  // Each share has 6 items. Then the page needs 1 more, of which a share has the 3 that one partition still holds.
  expect([shareOf(10), shareOf(1)]).toEqual([6, 3]);
  expect(inputs().map(({ Limit }) => Limit)).toEqual([...Array(SHARDS).fill(6), 3]);
});

test('the partitions of a listing are read for as many items as a filtered page has examined', async () => {
  await place(NAMES, 3);
  wire.reset();
  expect(await list({ limit: 1, examine: 26 }, () => undefined)).toEqual({ items: [] });
  const reads = [3, 7, 12, 26 - 19, 26 - 24].map((wanted) => shareOf(wanted));
  const limits = inputs().map(({ Limit }) => Limit);
  expect(limits.slice(SHARDS)).toEqual(reads);
});

test('the partitions of a listing are read at the same time when several are used up', async () => {
  await spread(NAMES);
  // Each partition has 3 or 4 items, so that three reads of 2 find its end.
  wire.script(async (operation, input) => {
    await sleep(20);
    return endingPages(2)(operation, input);
  });
  expect(await list()).toEqual({ items: NAMES });
  expect(roundTrips(wire.commands)).toBe(3);
});

test.each([{}, { limit: 3 }])(
  'the partitions of a listing are read on when DynamoDB returns a page without items: %j',
  async (request) => {
    await spread(['a', 'b', 'c']);
    wire.script((_operation, input) => {
      const { ':pk': PK } = input['ExpressionAttributeValues'] as { ':pk': unknown };
      const start = { PK: { S: ' ' }, SK: { S: ' ' }, GSI1PK: PK, GSI1SK: { S: ' ' } };
      return input['ExclusiveStartKey']
        ? undefined
        : { input, answer: () => ({ Items: [], Count: 0, LastEvaluatedKey: start }) };
    });
    expect(await list(request)).toEqual({ items: ['a', 'b', 'c'] });
    expect(operations()).toEqual(Array(2 * SHARDS).fill('Query'));
  },
);

test('a page has a cursor when a page without items precedes the next one', async () => {
  await place('ab', 0);
  let isEmpty = true;
  wire.script((operation, input) => {
    const { ExclusiveStartKey: start } = input;
    if (!start || !isEmpty) return endingPages(1)(operation, input);
    isEmpty = false;
    return { input, answer: () => ({ Items: [], Count: 0, LastEvaluatedKey: start }) };
  });
  expect(await allPages({ limit: 1 })).toEqual([['a'], ['b']]);
});

test('a listing ends when the last page of each partition is full', async () => {
  await spread(NAMES.slice(0, 8));
  const script = answering((body) => {
    const [last] = (body['Items'] as Record<string, unknown>[]).slice(-1);
    const { PK, SK, GSI1PK, GSI1SK } = last ?? {};
    return last ? { ...body, LastEvaluatedKey: { PK, SK, GSI1PK, GSI1SK } } : body;
  });
  wire.script(script);
  expect(await list({ limit: 8 })).toEqual({ items: NAMES.slice(0, 8) });
  expect(await list()).toEqual({ items: NAMES.slice(0, 8) });
});

test('everythingIn reads all items by pages, and allUsernames their names', async () => {
  await store(NAMES.map((each) => entryOf(each, each < 'n' ? 1 : 3)));
  const sizes: number[] = [];
  for await (const page of everythingIn(table, LISTING, 5)) sizes.push(page.length);
  expect(sizes).toEqual([0, 5, 5, 3, 0, 5, 5, 3, 0, 0, 0, 0]);
  const counts: number[] = [];
  for await (const usernames of allUsernames(table, 30)) counts.push(usernames.length);
  expect(counts).toEqual([0, 13, 0, 13, 0, 0, 0, 0]);
});

const x = (bytes: number) => 'x'.repeat(bytes);
const quotes = (count: number) => '"'.repeat(count);
// As JSON each item has two quotes and a comma; in a string the quotes are escaped, and the string has two of its own.
const plain = 4_999_000 - 3 * 3 - 3_000_000;
const escaped = 6_100_000 - 3 * 6 - 3_000_000;
const quoted = quotes(Math.floor(escaped / 4)) + x(escaped % 4);

/** The sizes of the pages of four items that are answered as these texts. */
async function sizesWith(texts: Record<string, string>) {
  await place('abcd', 0);
  const all = await allPages({}, ({ GSI1SK }) => texts[GSI1SK] ?? '');
  return all.map(({ length }) => length);
}

test.each([
  ['4,999,000 bytes', x(plain), x(1_000_000), x(2_000_000)],
  ['4,999,000 bytes of UTF-8', x(plain), x(1_000_000), 'ü'.repeat(1_000_000)],
  ['6,100,000 bytes with escaped quotes', quoted, quotes(250_000), quotes(500_000)],
  ['6,100,000 bytes of UTF-8 with escaped quotes', quoted, quotes(250_000), `${quotes(499_999)}üü`],
])('a page has, at most, %s', async (_what, a, b, c) => {
  expect(await sizesWith({ a, b, c })).toEqual([3, 1]);
  expect(await sizesWith({ a: `${a}x`, b, c })).toEqual([2, 2]);
});

test('a page has, at most, one item when that is larger', async () => {
  expect(await sizesWith({ a: x(5_000_000), b: quotes(1_600_000), c: 'c' })).toEqual([1, 1, 2]);
});
