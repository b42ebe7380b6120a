import { describe, expect, test } from 'vitest';
import { cursorSecretKey, type Listing, listingRanges } from '#lib/table/keys';
import { listPage } from '#lib/table/listing';
import { put } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';

interface Entry {
  readonly GSI1SK: string;
}
const LISTING: Listing<Entry> = { name: 'ACCOUNTS', index: 'GSI1' };

const { table } = await openTestTable();
await put(table, cursorSecretKey, { secret: 'secret' });
const [shard] = listingRanges(LISTING, undefined);
for (const name of ['a', 'b', 'c', 'd'])
  await put<unknown>(table, { PK: 'ENTRY', SK: name }, { GSI1PK: shard?.PK, GSI1SK: name });

/** How many items each page has, where items are answered as these texts. */
async function pageSizes(texts: Readonly<Record<string, string>>) {
  const sizes: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await listPage(table, LISTING, { cursor }, ({ GSI1SK }) => texts[GSI1SK] ?? '');
    sizes.push(page.items.length);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return sizes;
}

const x = (bytes: number) => 'x'.repeat(bytes);
const quotes = (count: number) => '"'.repeat(count);

describe('the items of a page have, as JSON with commas,', () => {
  // Each has two quotes and a comma.
  const fits = 4_999_000 - 3 * 3;

  test('4,999,000 bytes at most', async () => {
    const [b, c] = [x(1_000_000), x(2_000_000)];
    expect(await pageSizes({ a: x(fits - 3_000_000), b, c, d: '' })).toEqual([3, 1]);
    expect(await pageSizes({ a: x(fits - 3_000_000 + 1), b, c, d: '' })).toEqual([2, 2]);
  });

  test('bytes, not characters', async () => {
    const [b, c] = [x(1_000_000), 'ü'.repeat(1_000_000)];
    expect(await pageSizes({ a: x(fits - 3_000_000), b, c, d: '' })).toEqual([3, 1]);
    expect(await pageSizes({ a: x(fits - 3_000_000 + 1), b, c, d: '' })).toEqual([2, 2]);
  });
});

describe('the items of a page have, as JSON in a string of JSON,', () => {
  // Each has two quotes that stand for the string, and two escaped ones; a quote in it becomes four characters.
  const fits = 6_100_000 - 3 * 6;

  test('6,100,000 bytes at most, quotes escaped', async () => {
    const [b, c] = [quotes(250_000), quotes(500_000)];
    const rest = fits - 3_000_000;
    const a = quotes(Math.floor(rest / 4)) + x(rest % 4);
    expect(await pageSizes({ a, b, c, d: '' })).toEqual([3, 1]);
    expect(await pageSizes({ a: `${a}x`, b, c, d: '' })).toEqual([2, 2]);
  });

  test('bytes, not characters', async () => {
    const [b, c] = [quotes(250_000), `${quotes(499_999)}üü`];
    const rest = fits - 3_000_000;
    const a = quotes(Math.floor(rest / 4)) + x(rest % 4);
    expect(await pageSizes({ a, b, c, d: '' })).toEqual([3, 1]);
    expect(await pageSizes({ a: `${a}x`, b, c, d: '' })).toEqual([2, 2]);
  });
});

test('an item that no page can hold has a page of its own', async () => {
  expect(await pageSizes({ a: x(5_000_000), b: quotes(1_600_000), c: 'c', d: 'd' })).toEqual([1, 1, 2]);
});
