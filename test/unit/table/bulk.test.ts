import { expect, test } from 'vitest';
import { putAccepted, putAll } from '#lib/table/bulk';
import type { Key } from '#lib/table/keys';
import { getAll } from '#lib/table/read';
import { openTestTable } from '../support/engine.ts';
import { shortestWaits } from '../support/shortest-waits.ts';
import { freshKey } from './things.ts';

const { table, wire, operations, inputs } = await openTestTable();
shortestWaits();

/** Items of three batches: DynamoDB takes 25 in a call. */
const threeBatches = () => Array.from({ length: 51 }, (_, n) => ({ ...freshKey(), n }));
const stored = (items: readonly Key[]) =>
  getAll(
    table,
    items.map(({ PK, SK }) => ({ PK, SK })),
  );

test('putAll stores the items of every batch', async () => {
  const items = threeBatches();
  await putAll(table, items);
  expect(operations()).toEqual(Array(3).fill('BatchWriteItem'));
  expect(await stored(items)).toEqual(items);
});

test('putAll sends unprocessed items again, and no others', async () => {
  const items = threeBatches();
  const isFirst = new Set<string>();
  wire.script((_operation, input) => {
    const [[name, puts]] = Object.entries(input['RequestItems'] as Record<string, object[]>) as [
      [string, object[]],
    ];
    const [last] = puts.slice(-1);
    const text = JSON.stringify(last);
    if (puts.length === 1 || isFirst.has(text)) return undefined;
    isFirst.add(text);
    return {
      input: { RequestItems: { [name]: puts.slice(0, -1) } },
      answer: (body) => ({ ...body, UnprocessedItems: { [name]: [last] } }),
    };
  });
  await putAll(table, items);
  wire.script(() => undefined);
  expect(await stored(items)).toEqual(items);
  const sizes = inputs().flatMap(({ RequestItems }) =>
    Object.values((RequestItems ?? {}) as Record<string, unknown>).flatMap((puts) =>
      Array.isArray(puts) ? [puts.length] : [],
    ),
  );
  expect(sizes.sort((one, other) => one - other)).toEqual([1, 1, 1, 25, 25]);
});

test('putAccepted stores all but the items that DynamoDB refuses, in every batch, and counts those', async () => {
  const items = threeBatches();
  const isRefused = (n: number) => n === 3 || n === 26 || n === 27;
  const given = items.map((item, n) => (isRefused(n) ? { ...item, PK: '' } : item));
  expect(await putAccepted(table, given)).toBe(3);
  expect(await stored(items)).toEqual(items.map((item, n) => (isRefused(n) ? undefined : item)));
});
