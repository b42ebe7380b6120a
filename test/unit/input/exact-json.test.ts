import { expect, test } from 'vitest';
import { isJsonObject, parseExactly, toPlainNumber } from '#lib/input/exact-json';

test.each(['{"a":1e400,"b":[12345678901234567890,-0,1e-400,1.0,0.1,-5]}', '1E5', '"1e400"', 'null', '{}'])(
  'JSON.stringify returns the text that was parsed: %s',
  (text) => {
    expect(JSON.stringify(parseExactly(text))).toBe(text);
  },
);

test('a number that a double represents is a number', () => {
  expect(parseExactly('[1.5,0,-7,true,"2",null]')).toEqual([1.5, 0, -7, true, '2', null]);
});

test.each([
  ['12345678901234567890', 12345678901234567000],
  ['1e400', Number.POSITIVE_INFINITY],
  ['1.0', 1],
  ['-0', -0],
])('any other number is opaque, converts to a number, and is no JSON object: %s', (text, number) => {
  const value = parseExactly(text);
  expect(value).toBeTypeOf('object');
  expect(toPlainNumber(value)).toBe(number);
  expect(isJsonObject(value)).toBe(false);
});

const OBJECTS = [{}, { a: 1 }];

test.each([...OBJECTS, 1, '1', null, undefined, true])('toPlainNumber keeps any other value: %j', (value) => {
  expect(toPlainNumber(value)).toBe(value);
});

test('isJsonObject is true for objects only', () => {
  expect(OBJECTS.map(isJsonObject)).toEqual([true, true]);
  const others = [[], ['x'], null, undefined, 1, true, () => 1];
  expect(others.map(isJsonObject)).toEqual(others.map(() => false));
});
