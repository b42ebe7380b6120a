import { describe, expect, test } from 'vitest';
import { propertiesSchema, putProperties, readProperties, withRoot } from '#lib/account/properties';
import { parseExactly } from '#lib/exact-json';
import { propertiesKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { transact } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';
import { errorsOf } from '../support/errors-of.ts';

const { table } = await openTestTable();

/** Properties of as many bytes of JSON. */
const ofBytes = (bytes: number) => ({ t: 'x'.repeat(bytes - '{"t":""}'.length) });

describe('properties may be', () => {
  test.each<[string, unknown]>([
    ['empty', {}],
    ['with an empty root', { root: {} }],
    ['anything below a root', { root: { a: [1, null, { b: '' }] }, other: null }],
    ['of 64 KiB', ofBytes(65_536)],
    ['of numbers that no double holds', parseExactly('{"root":{"a":1e400}}')],
  ])('%s', (_what, value) => {
    expect(errorsOf(propertiesSchema(), value)).toEqual([]);
  });
});

describe('properties may not be', () => {
  test.each<[string, unknown, string, unknown]>([
    ['a list', [], 'body', expect.any(String)],
    ['null', null, 'body', expect.any(String)],
    ['a number that no double holds', parseExactly('1e400'), 'body', expect.any(String)],
    ['with a list as root', { root: [] }, 'root', 'Must be an object'],
    ['with null as root', { root: null }, 'root', 'Must be an object'],
    ['with a text as root', { root: 'x' }, 'root', 'Must be an object'],
    ['of a byte more than 64 KiB', ofBytes(65_537), 'body', 'Must be at most 64 KiB'],
    ['of more bytes than characters', { t: 'ä'.repeat(32_765) }, 'body', 'Must be at most 64 KiB'],
  ])('%s', (_what, value, field, message) => {
    expect(errorsOf(propertiesSchema(), value)).toEqual([{ field, message }]);
  });
});

test('properties always have a root, which comes first unless it is given', () => {
  expect(JSON.stringify(withRoot({ a: 1 }))).toBe('{"root":{},"a":1}');
  expect(JSON.stringify(withRoot({ a: 1, root: { b: 2 } }))).toBe('{"root":{"b":2},"a":1}');
});

describe('stored properties', () => {
  test('are read as they were written, to the last digit', async () => {
    const text = '{"root":{"a":1e400,"b":12345678901234567890,"c":1.0},"d":[[]]}';
    await transact(table, [putProperties('Ada', withRoot(parseExactly(text) as object))]);
    expect(await get(table, propertiesKey('ada'))).toEqual({
      PK: 'ACCOUNT#ada',
      SK: 'PROPERTIES',
      json: text,
    });
    expect(JSON.stringify(await readProperties(table, 'ADA'))).toBe(text);
  });

  test('are replaced as a whole', async () => {
    await transact(table, [putProperties('bob', { root: { a: 1 }, b: 2 })]);
    await transact(table, [putProperties('bob', { root: {} })]);
    expect(await readProperties(table, 'bob')).toEqual({ root: {} });
  });

  test('are an empty root where there are none', async () => {
    expect(await readProperties(table, 'nobody')).toEqual({ root: {} });
  });
});
