import { expect, test } from 'vitest';
import { Answer } from '#lib/contract/answer';

const REST = {
  cookies: ['a=1', 'b=2'],
  type: 'text/html',
  headers: { a: 'b' },
  status: 304,
  changed: false,
} as const;
const DEFAULTS = { cookies: [], type: undefined, headers: {}, status: 200, changed: true };

test('an answer keeps its data and its parts, each with a default', () => {
  expect(new Answer({ a: 1 })).toEqual({ data: { a: 1 }, ...DEFAULTS });
  expect(new Answer('text', REST)).toEqual({ data: 'text', ...REST });
});
