import { expect, test } from 'vitest';
import { isJsonObject, parseExactly } from '#lib/exact-json';

test.each(['{"a":1e400,"b":[12345678901234567890,-0,1e-400,1.0,0.1,-5]}', '1E5', '"1e400"', 'null', '{}'])(
  '%s is written as it was read',
  (text) => {
    expect(JSON.stringify(parseExactly(text))).toBe(text);
  },
);

test('a number that a double holds is a number, and one that none holds is no object', () => {
  expect(parseExactly('[1.5]')).toEqual([1.5]);
  expect(isJsonObject(parseExactly('1e400'))).toBe(false);
  expect([isJsonObject({}), isJsonObject([]), isJsonObject(null), isJsonObject('x')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
