import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { prepareCursors } from '#lib/table/cursor';
import { cursorSecretKey, type Key, type Listing, listingRanges, SHARDS } from '#lib/table/keys';
import { listPage, type PageRequest } from '#lib/table/listing';
import { put, remove } from '#lib/table/write';
import { roundTrips, type Script } from '../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../support/engine.ts';
import { inputsOver } from './inputs.ts';

interface Entry {
  readonly GSI1SK: string;
}
const LISTING: Listing<Entry> = { name: 'ACCOUNTS', index: 'GSI1' };
const OTHER: Listing<Entry> = { name: 'TOKENS', index: 'GSI1' };

const { table, wire, operations } = await openTestTable();
await put(table, cursorSecretKey, { secret: 'secret' });
await prepareCursors(table);

let placed: Key[] = [];

/** Places an entry in a shard of a listing. */
async function place(name: string, shard: number, listing: Listing = LISTING) {
  const key = { PK: 'ENTRY', SK: `${listing.name}-${name}` };
  placed.push(key);
  await put<unknown>(table, key, {
    GSI1PK: listingRanges(listing, undefined)[shard]?.PK,
    GSI1SK: name,
  });
}

/** Places entries in shards by turns, so that neighbours stand apart. */
async function spread(names: readonly string[]) {
  await Promise.all(names.map((name, index) => place(name, (index * 3) % SHARDS)));
  wire.reset();
}

beforeEach(async () => {
  await Promise.all(placed.map((key) => remove(table, key)));
  placed = [];
  wire.reset();
});

const list = (request: PageRequest = {}) => listPage(table, LISTING, request, ({ GSI1SK }) => GSI1SK);

/** The items of all pages, page by page. */
async function allPages(limit: number | undefined) {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { items, next_cursor } = await list({ limit, cursor });
    pages.push(items);
    cursor = next_cursor;
  } while (cursor !== undefined && pages.length < 100);
  return pages;
}

const NAMES = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));

describe('a listing', () => {
  test('without items is one empty page', async () => {
    expect(await list()).toEqual({ items: [] });
    expect(await list({ limit: 1 })).toEqual({ items: [] });
  });

  test('merges its shards in the order of the index', async () => {
    await spread(NAMES.toReversed());
    expect(await list()).toEqual({ items: NAMES });
  });

  test('merges shards of which one holds all that comes first, or last', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => place(name, 6)));
    await Promise.all(['e', 'f', 'g', 'h'].map((name) => place(name, 1)));
    expect(await list()).toEqual({ items: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] });
  });

  test('answers each item as it is viewed', async () => {
    await spread(['a', 'b']);
    const page = await listPage(table, LISTING, {}, ({ GSI1SK }) => ({ name: GSI1SK.toUpperCase() }));
    expect(page).toEqual({ items: [{ name: 'A' }, { name: 'B' }] });
  });

  test('holds nothing of another listing', async () => {
    await spread(['a', 'b']);
    await place('c', 0, OTHER);
    expect(await list()).toEqual({ items: ['a', 'b'] });
    const tokens = await listPage(table, OTHER, {}, ({ GSI1SK }) => GSI1SK);
    expect(tokens).toEqual({ items: ['c'] });
  });

  test.each([1, 2, 5, 12, 13, 25])('in pages of %i has no gap and no repeat', async (limit) => {
    await spread(NAMES);
    const pages = await allPages(limit);
    expect(pages.flat()).toEqual(NAMES);
    expect(pages.map(({ length }) => length)).toEqual([
      ...Array(Math.ceil(26 / limit) - 1).fill(limit),
      26 % limit || limit,
    ]);
  });

  describe('of which the view leaves some out', () => {
    const isVowel = (name: string) => 'aeiou'.includes(name);
    const sparse = (request: PageRequest) =>
      listPage(table, LISTING, request, ({ GSI1SK }) => (isVowel(GSI1SK) ? GSI1SK : undefined));

    test.each([
      [26, undefined, [['a', 'e', 'i', 'o', 'u']]],
      [5, undefined, [['a', 'e'], ['i'], ['o'], [], ['u'], []]],
      [1, undefined, NAMES.map((name) => (isVowel(name) ? [name] : []))],
      [26, 2, [['a', 'e'], ['i', 'o'], ['u']]],
    ])('looks at %i for a page of %s', async (examine, limit, expected) => {
      await spread(NAMES);
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await sparse({ examine, limit, cursor });
        pages.push(page.items);
        cursor = page.next_cursor;
      } while (cursor !== undefined && pages.length < 40);
      expect(pages).toEqual(expected);
    });

    test('binds its cursors to what they are bound to', async () => {
      await spread(NAMES);
      const { next_cursor: cursor } = await sparse({ examine: 3, boundTo: 'a' });
      expect((await sparse({ examine: 3, boundTo: 'a', cursor })).items).toEqual(['e']);
      for (const boundTo of ['b', '', undefined])
        await expect(sparse({ examine: 3, boundTo, cursor })).rejects.toMatchObject({
          code: 'invalid_request',
        });
      const { next_cursor: whole } = await list({ limit: 1 });
      await expect(sparse({ examine: 3, boundTo: 'a', cursor: whole })).rejects.toMatchObject({
        code: 'invalid_request',
      });
    });
  });

  test.each([26, 27, undefined])('that fits a page of %s has no next one', async (limit) => {
    await spread(NAMES);
    expect(await list({ limit })).toEqual({ items: NAMES });
  });

  test('goes on after its cursor, though the item that it was made at is gone', async () => {
    await spread(NAMES);
    const { next_cursor: cursor } = await list({ limit: 3 });
    await remove(table, { PK: 'ENTRY', SK: 'ACCOUNTS-c' });
    await place('bb', 0);
    await place('ca', 0);
    expect((await list({ limit: 2, cursor })).items).toEqual(['ca', 'd']);
  });
});

describe('a cursor is refused', () => {
  const refused = { code: 'invalid_request', errors: [{ field: 'cursor' }] };

  test('that is of another listing', async () => {
    await spread(['a', 'b']);
    const { next_cursor: cursor } = await list({ limit: 1 });
    await expect(listPage(table, OTHER, { cursor }, (item) => item)).rejects.toMatchObject(refused);
  });

  test.each(['', 'a', 'YQ.x'])('that nobody was given: "%s"', async (cursor) => {
    await expect(list({ cursor })).rejects.toMatchObject(refused);
    expect(operations()).not.toContain('Query');
  });
});

describe('the partitions of a listing', () => {
  test('are read side by side, once each where all is small', async () => {
    await spread(NAMES);
    await list({ limit: 26 });
    expect(operations()).toEqual(Array(SHARDS).fill('Query'));
  });

  test.each([
    [1, 3],
    [8, 5],
    [100, 25],
    [1000, 160],
    [8999, 1227],
    [9000, 1227],
    [10_000, 1227],
    [undefined, 1227],
  ])('are each asked, for a page of %s, for %i items', async (limit, share) => {
    const inputs = inputsOver(wire);
    await list({ limit });
    expect(inputs.map(({ Limit }) => Limit)).toEqual(Array(SHARDS).fill(share));
  });

  test('are asked again only where one holds less than its share of the rest', async () => {
    await Promise.all(NAMES.map((name) => place(name, 3)));
    await Promise.all(['z1', 'z2', 'z3'].map((name) => place(name, 5)));
    wire.reset();
    const inputs = inputsOver(wire);
    // Each share is of 6 items; 4 are still wanted of the page, of which a share is 5.
    expect((await list({ limit: 10 })).items).toEqual(NAMES.slice(0, 10));
    expect(inputs.map(({ Limit }) => Limit)).toEqual([...Array(SHARDS).fill(6), 4]);
  });

  test('are read on side by side, however many of them are used up', async () => {
    await spread(NAMES);
    // Each holds 3 or 4, and 2 are the most that a read answers here.
    wire.script(async (_operation, input) => {
      await sleep(20);
      return { input: { ...input, Limit: 2 }, answer: (body) => body };
    });
    expect(await list()).toEqual({ items: NAMES });
    expect(roundTrips(wire.commands)).toBe(3);
  });

  test('are read on where DynamoDB answers a page without items', async () => {
    await spread(['a', 'b', 'c']);
    const emptyAtFirst: Script = (_operation, input) => {
      const { ':pk': PK } = input['ExpressionAttributeValues'] as { ':pk': unknown };
      const start = { PK: { S: ' ' }, SK: { S: ' ' }, GSI1PK: PK, GSI1SK: { S: ' ' } };
      return input['ExclusiveStartKey']
        ? undefined
        : { input, answer: () => ({ Items: [], Count: 0, LastEvaluatedKey: start }) };
    };
    wire.script(emptyAtFirst);
    expect(await list()).toEqual({ items: ['a', 'b', 'c'] });
    expect(operations()).toEqual(Array(2 * SHARDS).fill('Query'));
  });
});
