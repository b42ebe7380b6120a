import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parseExactly } from '#lib/input/exact-json';
import { booleanText, listText, parse } from '#lib/input/parse';
import { wholeNumber } from '#lib/item/fields';
import { refusal } from '../support/code-of.ts';
import { errorsOf } from '../support/errors-of.ts';

const schema = z.strictObject({
  name: z.string(),
  list: z.optional(z.array(z.strictObject({ n: z.int('Must be whole') }))),
});

test('parse returns the output of the schema, or throws invalid_request', () => {
  expect(parse(schema, { name: 'a' })).toEqual({ name: 'a' });
  expect(refusal(() => parse(schema, {}))).toEqual({ code: 'invalid_request', fields: ['name'] });
});

test.each<[string, unknown, Record<string, string>]>([
  ['a missing field', {}, { name: 'Is required' }],
  ['a field of another type', { name: 1 }, { name: 'Must be a text' }],
  ['a nested field', { name: '', list: [{ n: 1 }, { n: 1.5 }] }, { 'list.1.n': 'Must be whole' }],
  ['unknown properties', { name: '', x: 1, y: 2 }, { x: 'Unknown property', y: 'Unknown property' }],
  ['a nested unknown property', { name: '', list: [{ n: 1, x: 1 }] }, { 'list.0.x': 'Unknown property' }],
  ['an unknown property without its secret', { name: '', cst_1: 1 }, { '[redacted]': 'Unknown property' }],
  ['a missing input', undefined, { body: 'Is required' }],
  ['an input of another type', [], { body: 'Must be an object' }],
])('the errors name %s', (_what, input, errors) => {
  const expected = Object.entries(errors).map(([field, message]) => ({ field, message }));
  expect(errorsOf(schema, input)).toEqual(expected);
});

test('the errors name an unknown property by the text of the caller', () => {
  expect(() => parse(schema, { name: '', x: 1 }, 'Unknown parameter')).toThrow(
    expect.objectContaining({ errors: [{ field: 'x', message: 'Unknown parameter' }] }),
  );
});

test('the errors name the first hundred faults', () => {
  const faults = (count: number) => errorsOf(z.array(z.string()), Array(count).fill(0));
  expect([99, 100, 101].map((count) => faults(count).length)).toEqual([99, 100, 100]);
  expect(faults(101).at(-1)?.field).toBe('99');
  const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`p${n}`, n]));
  expect(errorsOf(schema, { name: '', ...unknown })).toHaveLength(100);
});

const [short, uuid, one] = [z.string().check(z.minLength(1), z.maxLength(2)), z.uuid(), wholeNumber(1, 3)];
test.each<[string, z.ZodMiniType, ...[unknown, string][]]>([
  ['an integer', one, [0, 'Must be at least 1'], [4, 'Must be at most 3'], [1.5, 'Must be a whole number']],
  ['a number', one, ['2', 'Must be a number'], [null, 'Must be a number'], [undefined, 'Is required']],
  ['a text', short, ['', 'Must have at least 1 character'], ['abc', 'Must have at most 2 characters']],
  [
    'a list',
    z.array(short).check(z.maxLength(1)),
    [['a', 'b'], 'Must have at most 1 item'],
    [1, 'Must be a list'],
  ],
  ['a boolean', z.boolean(), ['true', 'Must be true or false'], [0, 'Must be true or false']],
  ['a choice', z.enum(['a', 'b']), ['c', 'Must be a or b'], [undefined, 'Is required']],
  ['a UUID', uuid, ['x', 'Must be a UUID'], [1, 'Must be a text']],
  ['an object', z.record(z.string(), z.unknown()), [[], 'Must be an object'], [null, 'Must be an object']],
  ['anything else', z.string().check(z.regex(/^a$/)), ['b', 'Is not valid']],
])('a fault that its schema does not word is worded as that of %s', (_what, schema, ...faults) => {
  for (const [input, message] of faults)
    expect(errorsOf(schema, input)).toEqual([{ field: 'body', message }]);
});

test.each(['24', '24.0', '2.4e1', '240E-1'])('%s is a whole number', (text) => {
  expect(parse(wholeNumber(1, 72), parseExactly(text))).toBe(24);
});

test.each(['24.5', '1e400', '12345678901234567890', '-0'])('%s is no whole number of a range', (text) => {
  expect(errorsOf(wholeNumber(1, 72), parseExactly(text))).not.toEqual([]);
});

test('booleanText is true or false', () => {
  expect([parse(booleanText(), 'true'), parse(booleanText(), 'false')]).toEqual([true, false]);
});

test.each(['', 'True', '1', 'yes', true, undefined])('booleanText is not %j', (text) => {
  const message = text === undefined ? 'Is required' : 'Must be true or false';
  expect(errorsOf(booleanText(), text)).toEqual([{ field: 'body', message }]);
});

test('listText splits at commas, trims each item and skips empty ones', () => {
  const list = listText(z.string().check(z.minLength(2, 'Too short')));
  expect(parse(list, ' ab ,, cd, ')).toEqual(['ab', 'cd']);
  expect(errorsOf(list, 'ab,c')).toEqual([{ field: '1', message: 'Too short' }]);
});
