import { expect, test } from 'vitest';
import { query } from '#lib/table/read';
import { put } from '#lib/table/write';
import { openTestTable } from '../engine.ts';

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
