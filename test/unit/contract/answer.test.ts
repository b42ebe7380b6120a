import { expect, test } from 'vitest';
import { Answer } from '#lib/contract/answer';

test('an answer of data alone sets no cookie and no header, and has no type', () => {
  expect(new Answer({ a: 1 })).toEqual({
    data: { a: 1 },
    cookies: [],
    type: undefined,
    headers: {},
    status: 200,
    changed: true,
  });
});

test('an answer keeps what there is to say besides its data', () => {
  const rest = {
    cookies: ['a=1', 'b=2'],
    type: 'text/html',
    headers: { a: 'b' },
    status: 304,
    changed: false,
  } as const;
  expect(new Answer('text', rest)).toEqual({ data: 'text', ...rest });
});
