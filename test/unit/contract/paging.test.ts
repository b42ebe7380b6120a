import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { page, pageQuery } from '#lib/contract/paging';
import { parse } from '#lib/parse';
import { errorsOf } from '../support/errors-of.ts';

describe('the query of a listing', () => {
  test('asks for everything unless told', () => {
    expect(parse(pageQuery(), {})).toEqual({});
  });

  test.each([1, 9, 10, 999, 1000, 9999, 10_000])('asks for %i items', (limit) => {
    expect(parse(pageQuery(), { limit: String(limit) })).toEqual({ limit });
  });

  test.each(['', '0', '01', '10001', '99999', '100000', '-1', '+1', '1.5', '1e3', ' 1', '1 ', 'x10000'])(
    'asks for no %j items',
    (limit) => {
      expect(errorsOf(pageQuery(), { limit })).toEqual([
        { field: 'limit', message: 'Must be a whole number from 1 to 10000' },
      ]);
    },
  );

  test('begins after a cursor of 1 to 1,024 characters', () => {
    for (const cursor of ['x', 'x'.repeat(1024)]) expect(parse(pageQuery(), { cursor })).toEqual({ cursor });
    for (const cursor of ['', 'x'.repeat(1025)])
      expect(errorsOf(pageQuery(), { cursor }).map(({ field }) => field)).toEqual(['cursor']);
  });
});

test('a page may say where the next begins', () => {
  const schema = z.strictObject(page());
  for (const given of [{}, { next_cursor: 'x' }]) expect(parse(schema, given)).toEqual(given);
  expect(errorsOf(schema, { next_cursor: 1 }).map(({ field }) => field)).toEqual(['next_cursor']);
});
