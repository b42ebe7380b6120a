import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { instant, instantOrDate, page, pageQuery, pageQueryById } from '#lib/contract/paging';
import { parse } from '#lib/input/parse';
import { errorsOf } from '../support/errors-of.ts';

test.each([1, 9, 10, 999, 1000, 9999, 10_000])('a listing may have a limit of %i', (limit) => {
  expect(parse(pageQuery(), { limit: String(limit) })).toEqual({ limit });
});

test.each([{}, { cursor: 'x' }, { cursor: 'x'.repeat(1024) }])(
  'the query of a listing may be %j',
  (query) => {
    expect(parse(pageQuery(), query)).toEqual(query);
  },
);

test.each(['', '0', '01', '10001', '99999', '100000', '-1', '+1', '1.5', '1e3', ' 1', '1 ', 'x10000'])(
  'a listing has no limit of %j',
  (limit) => {
    const message = 'Must be a whole number from 1 to 10000';
    expect(errorsOf(pageQuery(), { limit })).toEqual([{ field: 'limit', message }]);
  },
);

test('the cursor of a listing by IDs is an ID in any case', () => {
  const cursor = '01a214a0-1685-7174-8dbb-55753e9bec01';
  expect(parse(pageQueryById(), { cursor: cursor.toUpperCase() })).toEqual({ cursor });
  expect(errorsOf(pageQueryById(), { cursor: 'x' }).map(({ field }) => field)).toEqual(['cursor']);
});

test.each(['', 'x'.repeat(1025)])('a cursor has 1 to 1,024 characters, unlike %j', (cursor) => {
  expect(errorsOf(pageQuery(), { cursor }).map(({ field }) => field)).toEqual(['cursor']);
});

test('a page may have a cursor for the next', () => {
  const schema = z.strictObject(page());
  for (const given of [{}, { next_cursor: 'x' }]) expect(parse(schema, given)).toEqual(given);
  expect(errorsOf(schema, { next_cursor: 1 }).map(({ field }) => field)).toEqual(['next_cursor']);
});

test('an instant has a zone or is in UTC, and has at most milliseconds', () => {
  expect(parse(instant(), '2026-11-20T05:30:00.007+01:00')).toBe(Date.UTC(2026, 10, 20, 4, 30, 0, 7));
  expect(parse(instant(), '2026-11-20T05:30:00.007')).toBe(Date.UTC(2026, 10, 20, 5, 30, 0, 7));
  expect(parse(instant(), '9999-12-31T23:59:59.999Z')).toBe(Date.UTC(9999, 11, 31, 23, 59, 59, 999));
});

test('an instant in a query may be a date, which begins in UTC', () => {
  expect(parse(instantOrDate(), '2026-08-28')).toBe(Date.UTC(2026, 7, 28));
  expect(parse(instantOrDate(), '2026-08-28T01:00:00+01:00')).toBe(Date.UTC(2026, 7, 28));
  const message = 'Must be a date such as 2026-11-20, or a time such as 2026-11-20T05:30:00Z';
  for (const text of ['2026-02-30', '28.08.2026', '90d', '2026-08', ''])
    expect(errorsOf(instantOrDate(), text).map((error) => error.message)).toEqual([message]);
});

// Times of other years than 0000 to 9999 in UTC have another length as text, so they do not sort among the others.
test.each(['yesterday', '2026-11-20', '9999-12-31T23:59:59-00:01', '0000-01-01T00:00:00+00:01'])(
  'an instant is not %s',
  (text) => {
    const message = 'Must be a time such as 2026-11-20T05:30:00Z';
    expect(errorsOf(instant(), text).map((error) => error.message)).toEqual([message]);
  },
);
