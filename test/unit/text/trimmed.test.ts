import { expect, test } from 'vitest';
import { trimmed } from '#lib/text/trimmed';
import { surrounded, UNSEEN } from '../support/unseen.ts';

test.each(Object.entries(UNSEEN))(
  'trimmed removes %s around a text, and keeps it inside',
  (_name, unseen) => {
    expect(trimmed(`${unseen}a${unseen}b${unseen}${unseen}`)).toBe(`a${unseen}b`);
    expect(trimmed(unseen)).toBe('');
  },
);

test.each(['', 'a', 'a\nb', '-', '.', '\u0301', '😀', '\ud800', '\0a\0'])('trimmed keeps %j', (text) => {
  expect([trimmed(text), trimmed(surrounded(text))]).toEqual([text, text]);
});

test('trimmed takes linear time: in quadratic time, this takes an hour', () => {
  const text = `${'a '.repeat(5e5)}${' '.repeat(1e6)}a`;
  expect(trimmed(`${text} `)).toBe(text);
});
