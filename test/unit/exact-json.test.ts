import { describe, expect, test } from 'vitest';
import { isJsonObject, parseExactly, toPlainNumber } from '#lib/exact-json';

test.each(['{"a":1e400,"b":[12345678901234567890,-0,1e-400,1.0,0.1,-5]}', '1E5', '"1e400"', 'null', '{}'])(
  '%s is written as it was read',
  (text) => {
    expect(JSON.stringify(parseExactly(text))).toBe(text);
  },
);

test('a number that a double holds is a number', () => {
  expect(parseExactly('[1.5,0,-7,true,"2",null]')).toEqual([1.5, 0, -7, true, '2', null]);
});

describe('a number that no double holds', () => {
  test.each([
    ['12345678901234567890', 12345678901234567000],
    ['1e400', Number.POSITIVE_INFINITY],
    ['1.0', 1],
    ['-0', -0],
  ])('is opaque, and a number still: %s', (text, number) => {
    const value = parseExactly(text);
    expect(value).toBeTypeOf('object');
    expect(toPlainNumber(value)).toBe(number);
  });

  test('is no object', () => {
    expect(isJsonObject(parseExactly('1e400'))).toBe(false);
  });
});

test.each([1, '1', null, undefined, true])('any other value is plain as it is: %j', (value) => {
  expect(toPlainNumber(value)).toBe(value);
});

test.each([{}, { a: 1 }])('%j is an object', (value) => {
  expect(isJsonObject(value)).toBe(true);
  expect(toPlainNumber(value)).toBe(value);
});

test.each([[[]], ['x'], [null], [undefined], [1], [true], [() => 1]])('%j is no object', (value) => {
  expect(isJsonObject(value)).toBe(false);
});
