import { expect, test } from 'vitest';
import { propertiesSchema, putProperties, readProperties, withRoot } from '#lib/account/properties';
import { parseExactly } from '#lib/input/exact-json';
import { propertiesKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { transact } from '#lib/table/write';
import { openTestTable } from '../support/engine.ts';
import { errorsOf } from '../support/errors-of.ts';

const { table } = await openTestTable();

const KIB = 1024;
/** Properties whose JSON has this many bytes. */
const ofBytes = (bytes: number) => ({ t: 'x'.repeat(bytes - '{"t":""}'.length) });

const SIZE = { field: 'body', message: 'Must be at most 64 KiB' };
const ROOT = { field: 'root', message: 'Must be an object' };
const BODY = { field: 'body', message: expect.any(String) };

test.each<[string, unknown, object?]>([
  ['nothing', {}],
  ['an empty root', { root: {} }],
  ['anything below a root', { root: { a: [1, null, { b: '' }] }, other: null }],
  ['64 KiB', ofBytes(64 * KIB)],
  ['64 KiB and the root that they got', withRoot(ofBytes(64 * KIB))],
  ['numbers that no double holds', parseExactly('{"root":{"a":1e400}}')],
  ['a list', [], BODY],
  ['null', null, BODY],
  ['a number that no double holds', parseExactly('1e400'), BODY],
  ['a list as root', { root: [] }, ROOT],
  ['null as root', { root: null }, ROOT],
  ['a text as root', { root: 'x' }, ROOT],
  ['more than 64 KiB', withRoot(ofBytes(64 * KIB + 1)), SIZE],
  ['more bytes than characters', { t: 'ä'.repeat(32 * KIB - 3) }, SIZE],
])('propertiesSchema judges %s', (_what, value, fault) => {
  expect(errorsOf(propertiesSchema(), value)).toEqual(fault ? [fault] : []);
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
  for (const name of ['ada', 'nobody']) expect(await readProperties(table, name)).toEqual({ root: {} });
});
