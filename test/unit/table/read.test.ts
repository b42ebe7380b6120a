import { describe, expect, test } from 'vitest';
import type { Key, Range } from '#lib/table/keys';
import { get, getAll, MAX_BATCH, pages, query } from '#lib/table/read';
import { put } from '#lib/table/write';
import { unprocessed } from '../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../support/engine.ts';
import { shortestWaits } from '../support/shortest-waits.ts';
import { answering, endingPages, failing } from './inputs.ts';
import { freshKey, type Thing } from './things.ts';

const { table, wire, operations, inputs } = await openTestTable();

/** Seven items of one partition, also in the indexes, with others around them. */
const SHELF = ['a#1', 'b', 'b#1', 'b#2', 'b#\u{10FFFF}', 'b$1', 'c#1'];
const place = (PK: string, SK: string, n: number) =>
  put<unknown>(table, { PK, SK }, { n, GSI1PK: PK, GSI1SK: `1${SK}`, GSI2PK: PK, GSI2SK: `2${SK}` });
await Promise.all([
  ...SHELF.map((SK, n) => place('SHELF', SK, n)),
  place('SHELF2', 'a1', 100),
  place('SHEL', 'a1', 101),
]);
const shelf: Range<Thing> = { PK: 'SHELF' };

shortestWaits();

/** Stores an item at each key. */
const things = async (keys: readonly Key<Thing>[]) => {
  await Promise.all(keys.map((key, n) => put(table, key, { n })));
  wire.reset();
  return keys.map((key, n) => ({ ...key, n }));
};

test('get reads an item strongly consistent, or undefined when there is none', async () => {
  const key = freshKey();
  const [thing] = await things([key]);
  expect([await get(table, key), await get(table, freshKey())]).toEqual([thing, undefined]);
  expect(inputs().map(({ ConsistentRead }) => ConsistentRead)).toEqual([true, true]);
});

test.each([undefined, false])(
  'getAll reads items in one round trip in the order of the keys, strongly consistent by default: %s',
  async (isConsistent) => {
    const stored = await things([freshKey(), freshKey(), freshKey()]);
    const keys = stored.map(({ PK, SK }) => ({ PK, SK })).toReversed();
    expect(await getAll(table, keys, isConsistent)).toEqual(stored.toReversed());
    expect(inputs()).toMatchObject([
      { RequestItems: { [table.name]: { ConsistentRead: isConsistent ?? true } } },
    ]);
  },
);

test('getAll returns undefined for a key without an item, and an item for each time its key is given', async () => {
  const [stored] = await things([freshKey()]);
  const { PK, SK } = stored as Key;
  const keys = [freshKey(), { PK, SK }, { PK: SK, SK: PK }, { PK, SK }];
  expect(await getAll(table, keys)).toEqual([undefined, stored, undefined, stored]);
});

test('getAll reads any number of items, a hundred in a round trip, and each key once', async () => {
  const stored = await things(Array.from({ length: 2 * MAX_BATCH + 1 }, freshKey));
  const keys = stored.map(({ PK, SK }) => ({ PK, SK }));
  expect(await getAll(table, [...keys, ...keys.slice(0, MAX_BATCH)])).toEqual([
    ...stored,
    ...stored.slice(0, MAX_BATCH),
  ]);
  const asked = inputs().map(({ RequestItems }) => {
    const { Keys } = (RequestItems as Record<string, { Keys: object[] }>)[table.name] ?? { Keys: [] };
    return Keys.length;
  });
  expect(asked.sort((a, b) => a - b)).toEqual([1, MAX_BATCH, MAX_BATCH]);
});

test('getAll sends nothing for no keys', async () => {
  expect(await getAll(table, [])).toEqual([]);
  expect(operations()).toEqual([]);
});

test('getAll requests unprocessed keys again, and no others', async () => {
  const keys = [freshKey(), freshKey(), freshKey()];
  const stored = await things(keys);
  wire.script((_operation, input) => unprocessed(input));
  expect(await getAll(table, keys, false)).toEqual(stored);
  const requested = inputs().map(({ RequestItems }) => (RequestItems as Record<string, unknown>)[table.name]);
  const marshalled = keys.map(({ PK, SK }) => ({ PK: { S: PK }, SK: { S: SK } }));
  expect(requested).toEqual(
    [0, 1, 2].map((from) => ({ Keys: marshalled.slice(from), ConsistentRead: false })),
  );
});

test('getAll is unavailable when keys stay unprocessed for eight attempts', async () => {
  const body = (input: object) => ({ UnprocessedKeys: (input as { RequestItems: object }).RequestItems });
  wire.script((_operation, input) => ({ status: 200, body: body(input) }));
  await expect(getAll(table, [freshKey()])).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  expect(operations()).toEqual(Array(8).fill('BatchGetItem'));
});

test('getAll accepts an answer without its empty parts', async () => {
  const [stored] = await things([freshKey()]);
  const { PK, SK } = stored as Key;
  wire.script(answering(({ UnprocessedKeys: _, ...body }) => body));
  expect(await getAll(table, [{ PK, SK }])).toEqual([stored]);
  wire.script(failing({ status: 200, body: { Responses: {} } }));
  expect(await getAll(table, [{ PK, SK }])).toEqual([undefined]);
});

const AFTER = ['b#2', 'b#\u{10FFFF}', 'b$1', 'c#1'];
const PREFIXED = ['b#1', 'b#2', 'b#\u{10FFFF}'];

/** A range, and the sort keys of its items. */
const RANGES: [what: string, range: Range<Thing>, sortKeys: string[]][] = [
  ['a whole partition', shelf, SHELF],
  ['a prefix', { ...shelf, prefix: 'b#' }, PREFIXED],
  ['a prefix without items', { ...shelf, prefix: 'd#' }, []],
  ['the part after an item', { ...shelf, after: 'b#1' }, AFTER],
  ['the part after a sort key without an item', { ...shelf, after: 'b#11' }, AFTER],
  ['an index', { ...shelf, index: 'GSI1' }, SHELF],
  ['a prefix in an index', { ...shelf, index: 'GSI1', prefix: '1b#' }, PREFIXED],
  ['the part of an index after an item', { ...shelf, index: 'GSI1', after: '1b#2' }, AFTER.slice(1)],
  ['a partition without items', { PK: 'NOWHERE' }, []],
];

describe.each(RANGES)('query of %s', (_what, range, sortKeys) => {
  const expected = sortKeys.map((SK) => expect.objectContaining({ PK: range.PK, SK }));

  test('returns its items in order, strongly consistent unless of an index', async () => {
    expect(await query(table, range)).toEqual(expected);
    const ConsistentRead = range.index === undefined;
    expect(inputs()).toMatchObject([{ TableName: table.name, ConsistentRead }]);
    expect(inputs().map(({ IndexName, Limit }) => [IndexName, Limit])).toEqual([[range.index, undefined]]);
  });

  test.each([1, 2, 3])('continues to the end when DynamoDB ends each page after %i', async (Limit) => {
    wire.script(endingPages(Limit));
    expect(await query(table, range)).toEqual(expected);
    expect(operations().length).toBeGreaterThanOrEqual(Math.ceil(sortKeys.length / Limit));
  });
});

test('pages reads each page when it is requested', async () => {
  const sizes: number[] = [];
  for await (const page of pages(table, shelf, 3)) {
    sizes.push(page.length);
    expect(inputs()).toHaveLength(sizes.length);
  }
  expect(sizes).toEqual([3, 3, 1]);
  expect(inputs().map(({ Limit }) => Limit)).toEqual([3, 3, 3]);
});

test('pages accepts an answer without items', async () => {
  wire.script(failing({ status: 200, body: {} }));
  expect(await query(table, shelf)).toEqual([]);
});
