import { expect, test } from 'vitest';
import { propertiesSchema, putProperties, readProperties, withRoot } from '#lib/account/properties';
import { parseExactly } from '#lib/exact-json';
import { propertiesKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { transact } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';
import { errorsOf } from '../support/errors-of.ts';

const { table } = await openTestTable();

const KIB = 1024;
/** Properties whose JSON has this many bytes. */
const ofBytes = (bytes: number) => ({ t: 'x'.repeat(bytes - '{"t":""}'.length) });

test.each<[string, unknown]>([
  ['nothing', {}],
  ['an empty root', { root: {} }],
  ['anything below a root', { root: { a: [1, null, { b: '' }] }, other: null }],
  ['64 KiB', ofBytes(64 * KIB)],
  ['numbers that no double holds', parseExactly('{"root":{"a":1e400}}')],
])('propertiesSchema accepts %s', (_what, value) => {
  expect(errorsOf(propertiesSchema(), value)).toEqual([]);
});

test.each<[string, unknown, string, unknown]>([
  ['a list', [], 'body', expect.any(String)],
  ['null', null, 'body', expect.any(String)],
  ['a number that no double holds', parseExactly('1e400'), 'body', expect.any(String)],
  ['a list as root', { root: [] }, 'root', 'Must be an object'],
  ['null as root', { root: null }, 'root', 'Must be an object'],
  ['a text as root', { root: 'x' }, 'root', 'Must be an object'],
  ['more than 64 KiB', ofBytes(64 * KIB + 1), 'body', 'Must be at most 64 KiB'],
  ['more bytes than characters', { t: 'ä'.repeat(32 * KIB - 3) }, 'body', 'Must be at most 64 KiB'],
])('propertiesSchema refuses %s', (_what, value, field, message) => {
  expect(errorsOf(propertiesSchema(), value)).toEqual([{ field, message }]);
});

test('withRoot adds a root, first, to properties without one', () => {
  expect(JSON.stringify(withRoot({ a: 1 }))).toBe('{"root":{},"a":1}');
  expect(JSON.stringify(withRoot({ a: 1, root: { b: 2 } }))).toBe('{"root":{"b":2},"a":1}');
});

test('readProperties returns properties as they were written, to the last digit', async () => {
  const json = '{"root":{"a":1e400,"b":12345678901234567890,"c":1.0},"d":[[]]}';
  await transact(table, [putProperties('Ada', withRoot(parseExactly(json) as object))]);
  expect(await get(table, propertiesKey('ada'))).toEqual({ ...propertiesKey('ada'), json });
  expect(JSON.stringify(await readProperties(table, 'ADA'))).toBe(json);
  await transact(table, [putProperties('Ada', { root: {} })]);
  expect(await readProperties(table, 'ada')).toEqual({ root: {} });
});

test('readProperties returns an empty root for an account without properties', async () => {
  expect(await readProperties(table, 'nobody')).toEqual({ root: {} });
});
