import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Key, Range } from '#lib/table/keys';
import { get, getAll, pages, query } from '#lib/table/read';
import { put } from '#lib/table/write';
import { type Script, unprocessed } from '../../wire/dynamodb-proxy.ts';
import { openTestTable } from '../support/engine.ts';
import { answering, failing, inputsOver } from './inputs.ts';
import { freshKey, type Thing } from './things.ts';

const { table, wire, operations } = await openTestTable();

/** Seven things in one partition, in each of the indexes too, with others around them. */
const SHELF = ['a#1', 'b', 'b#1', 'b#2', 'b#\u{10FFFF}', 'b$1', 'c#1'];
const place = (PK: string, SK: string, n: number) =>
  put<unknown>(table, { PK, SK }, { n, GSI1PK: PK, GSI1SK: `1${SK}`, GSI2PK: PK, GSI2SK: `2${SK}` });
await Promise.all([
  ...SHELF.map((SK, n) => place('SHELF', SK, n)),
  place('SHELF2', 'a1', 100),
  place('SHEL', 'a1', 101),
]);
const shelf: Range<Thing> = { PK: 'SHELF' };

beforeEach(() => {
  // Waits between attempts are as short as they can be.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

const things = async (keys: readonly Key<Thing>[]) => {
  await Promise.all(keys.map((key, n) => put(table, key, { n })));
  wire.reset();
  return keys.map((key, n) => ({ ...key, n }));
};

describe('one item', () => {
  test('is read as it stands, strongly consistent', async () => {
    const key = freshKey();
    const [thing] = await things([key]);
    const inputs = inputsOver(wire);
    expect(await get(table, key)).toEqual(thing);
    expect(inputs).toMatchObject([{ TableName: table.name, ConsistentRead: true }]);
  });

  test('is undefined where none stands', async () => {
    expect(await get(table, freshKey())).toBeUndefined();
  });
});

describe('a batch', () => {
  test('is read in one round trip, strongly consistent, in the order of the keys', async () => {
    const keys = [freshKey(), freshKey(), freshKey()];
    const stored = await things(keys);
    const inputs = inputsOver(wire);
    expect(await getAll(table, keys.toReversed())).toEqual(stored.toReversed());
    expect(operations()).toEqual(['BatchGetItem']);
    expect(inputs).toMatchObject([{ RequestItems: { [table.name]: { ConsistentRead: true } } }]);
  });

  test('has undefined where no item stands', async () => {
    const [stored] = await things([freshKey()]);
    const { PK, SK } = stored as Key;
    expect(await getAll(table, [freshKey(), { PK, SK }, { PK: SK, SK: PK }])).toEqual([
      undefined,
      stored,
      undefined,
    ]);
  });

  test('may name a key twice, which DynamoDB refuses', async () => {
    const [one, two] = [freshKey(), freshKey()];
    const [first, second] = await things([one, two]);
    expect(await getAll(table, [one, two, one])).toEqual([first, second, first]);
  });

  test('of no keys is not sent', async () => {
    expect(await getAll(table, [])).toEqual([]);
    expect(operations()).toEqual([]);
  });

  test('asks again for the keys that were not processed, and for those only', async () => {
    const keys = [freshKey(), freshKey(), freshKey()];
    const stored = await things(keys);
    const inputs = inputsOver(wire, (_operation, input) => unprocessed(input));
    expect(await getAll(table, keys)).toEqual(stored);
    const asked = inputs.map(({ RequestItems }) => (RequestItems as Record<string, unknown>)[table.name]);
    const marshalled = keys.map(({ PK, SK }) => ({ PK: { S: PK }, SK: { S: SK } }));
    expect(asked).toEqual([0, 1, 2].map((from) => ({ Keys: marshalled.slice(from), ConsistentRead: true })));
  });

  test('is unavailable where keys stay unprocessed for eight attempts', async () => {
    const none: Script = (_operation, { RequestItems }) => ({
      status: 200,
      body: { UnprocessedKeys: RequestItems },
    });
    wire.script(none);
    await expect(getAll(table, [freshKey()])).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
    expect(operations()).toEqual(Array(8).fill('BatchGetItem'));
  });

  test('is read where the answer leaves out what is empty', async () => {
    const [key] = [freshKey()];
    const [stored] = await things([key]);
    wire.script(answering(({ UnprocessedKeys: _, ...body }) => body));
    expect(await getAll(table, [key])).toEqual([stored]);
    wire.script(failing({ status: 200, body: { Responses: {} } }));
    expect(await getAll(table, [key])).toEqual([undefined]);
  });
});

describe('a range', () => {
  test.each<[string, Range, string[]]>([
    ['of a whole partition', shelf, SHELF],
    ['of a prefix', { ...shelf, prefix: 'b#' }, ['b#1', 'b#2', 'b#\u{10FFFF}']],
    ['of a prefix that is none', { ...shelf, prefix: 'd#' }, []],
    [
      'after a sort key, which is not in it',
      { ...shelf, after: 'b#1' },
      ['b#2', 'b#\u{10FFFF}', 'b$1', 'c#1'],
    ],
    [
      'after a sort key that does not stand',
      { ...shelf, after: 'b#11' },
      ['b#2', 'b#\u{10FFFF}', 'b$1', 'c#1'],
    ],
    ['of the first index', { ...shelf, index: 'GSI1' }, SHELF],
    [
      'of the first index, after a sort key',
      { ...shelf, index: 'GSI1', after: '1b#2' },
      ['b#\u{10FFFF}', 'b$1', 'c#1'],
    ],
    ['of a partition that is none', { PK: 'NOWHERE' }, []],
  ])('%s has its items, in order', async (_what, range, expected) => {
    const items = (await query(table, range)) as Key[];
    expect(items.map(({ SK }) => SK)).toEqual(expected);
    expect(items.every(({ PK }) => PK === range.PK)).toBe(true);
  });

  test('is read strongly consistent unless of an index', async () => {
    const inputs = inputsOver(wire);
    await query(table, shelf);
    await query(table, { ...shelf, index: 'GSI1' });
    expect(
      inputs.map(({ TableName, IndexName, ConsistentRead }) => [TableName, IndexName, ConsistentRead]),
    ).toEqual([
      [table.name, undefined, true],
      [table.name, 'GSI1', false],
    ]);
  });

  /** DynamoDB ends a page at 1 MB; here it does at two items. */
  const endPages: Script = (_operation, input) => ({ input: { ...input, Limit: 2 }, answer: (body) => body });

  test('is read to its end, however many pages it has', async () => {
    wire.script(endPages);
    expect((await query(table, shelf)).map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(operations()).toEqual(Array(4).fill('Query'));
  });

  test('is read a page at a time, each once it is asked for', async () => {
    const inputs = inputsOver(wire);
    const sizes: number[] = [];
    for await (const page of pages(table, shelf, 3)) {
      sizes.push(page.length);
      expect(inputs).toHaveLength(sizes.length);
    }
    expect(sizes).toEqual([3, 3, 1]);
    expect(inputs.map(({ Limit }) => Limit)).toEqual([3, 3, 3]);
  });

  test('has pages of any size unless told', async () => {
    const inputs = inputsOver(wire);
    for await (const page of pages(table, shelf)) expect(page).toHaveLength(7);
    expect(inputs.map(({ Limit, ExclusiveStartKey }) => [Limit, ExclusiveStartKey])).toEqual([
      [undefined, undefined],
    ]);
  });

  test('is empty where the answer leaves out what is empty', async () => {
    wire.script(failing({ status: 200, body: {} }));
    expect(await query(table, shelf)).toEqual([]);
  });
});
