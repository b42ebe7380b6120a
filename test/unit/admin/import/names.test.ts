import { expect, test } from 'vitest';
import { Names } from '#infra/admin/import/names';

test('a name that has come before is told by its line, without regard to case', () => {
  const names = new Names();
  expect([names.add('Ada', 1), names.add('bob', 2), names.add('aDA', 3)]).toEqual([undefined, undefined, 1]);
});

test('names are told apart, however many there are', () => {
  const names = new Names();
  const lines = Array.from({ length: 5000 }, (_, index) => index + 1);
  expect(lines.filter((line) => names.add(`user-${line}`, line) !== undefined)).toEqual([]);
  expect(lines.filter((line) => names.add(`USER-${line}`, 9) !== line)).toEqual([]);
});

test('more names than there is room for are refused', () => {
  const names = new Names(2);
  names.add('a', 1);
  names.add('b', 2);
  expect(names.add('b', 3)).toBe(2);
  expect(() => names.add('c', 4)).toThrow('2 accounts at most');
});
