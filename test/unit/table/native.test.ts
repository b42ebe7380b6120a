import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromItem, toItem } from '#lib/table/native';
import { query } from '#lib/table/read';
import { put } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';

const { table, wire } = await openTestTable();
const ENTRY = { PK: 'ENTRY', SK: 'a' };

test('a query answers what was written: every kind of value that the table holds', async () => {
  const entry = {
    text: 'Jürgen “€”',
    empty: '',
    whole: 12,
    fraction: -0.5,
    large: Number.MAX_SAFE_INTEGER,
    yes: true,
    no: false,
    nothing: null,
    none: [],
    list: ['a', 1, null, [true]],
    map: { team_short: 'x', inner: { n: 0 } },
  };
  await put<unknown>(table, ENTRY, entry);
  expect(await query(table, { PK: 'ENTRY' })).toEqual([{ ...ENTRY, ...entry }]);
});

test('what the table does not hold is an error, not a gap', async () => {
  wire.script((operation) =>
    operation === 'Query' ? { status: 200, body: { Items: [{ set: { SS: ['a'] } }] } } : undefined,
  );
  await expect(query(table, { PK: 'ENTRY' })).rejects.toThrow('An item holds a binary value or a set');
});

const value = fc.jsonValue({ maxDepth: 4 });
const plain = fc.dictionary(fc.string(), fc.oneof(value, fc.constant(undefined)));

test('any plain data becomes the item that the SDK makes of it, and that becomes the data again', () => {
  // The API lets no such names in, and numbers beyond those that are exact it keeps as text.
  const isExact = (data: object) => !/\d{16}|e\+|__proto__/.test(JSON.stringify(data));
  fc.assert(
    fc.property(plain.filter(isExact), (data) => {
      const item = toItem(data);
      expect(item).toEqual(marshall(data, { removeUndefinedValues: true }));
      expect(JSON.stringify(fromItem(item))).toBe(JSON.stringify(data));
    }),
  );
});

test.each([
  ['a set', new Set(['a'])],
  ['a binary value', Buffer.from('a')],
  ['a time', new Date(0)],
  ['a number that is not exact', 2 ** 53],
  ['what is no number', Number.NaN],
  ['a function', () => 1],
])('%s is not written', (_, value) => {
  expect(() => toItem({ value: [value] })).toThrow('Items hold plain data');
});
