import { describe, expect, test } from 'vitest';
import { browse, copy } from '#lib/account/contracts';
import { errorsOf } from '../support/errors-of.ts';

const SAME = { field: 'target_username', message: 'Must be another account than the source' };
const NAME = 'Must be 1 to 128 letters, digits or . _ @ + -';

describe('copy', () => {
  test.each([
    ['another account', 'ada', 'grace', []],
    ['itself', 'ada', 'ada', [SAME]],
    ['itself in another case', 'ada', 'ADA', [SAME]],
    ['what is no name', 'ada', 'a b', [{ field: 'target_username', message: NAME }]],
  ])('to %s', (_what, source_username, target_username, errors) => {
    expect(errorsOf(copy.params(), { source_username, target_username })).toEqual(errors);
  });

  test('from what is no name', () => {
    expect(errorsOf(copy.params(), { source_username: 'a b', target_username: 'ada' })).toEqual([
      { field: 'source_username', message: NAME },
    ]);
  });

  test('answers who got what', () => {
    const answer = {
      source: 'ada',
      target: 'grace',
      roles_added: ['a'],
      teams_added: ['0190a6e0-0000-7000-8000-000000000001'],
    };
    expect(errorsOf(copy.response(), answer)).toEqual([]);
    expect(errorsOf(copy.response(), { ...answer, teams_added: ['t'] })).toHaveLength(1);
    expect(errorsOf(copy.response(), { ...answer, more: 1 })).toHaveLength(1);
  });
});

test('browse answers nothing beside its items, statistics and cursor', () => {
  const stats = { count: 1, locked: 0, last_week: 1, today: 1, as_of: '2026-11-20T12:00:00.000Z' };
  const answer = { items: [], stats, next_cursor: 'x' };
  expect(errorsOf(browse.response(), answer)).toEqual([]);
  expect(errorsOf(browse.response(), { ...answer, more: 1 })).toHaveLength(1);
  expect(errorsOf(browse.response(), { ...answer, stats: { ...stats, more: 1 } })).toHaveLength(1);
  expect(errorsOf(browse.response(), { ...answer, stats: {} }).map(({ field }) => field)).toEqual([
    'stats.count',
    'stats.locked',
    'stats.last_week',
    'stats.today',
    'stats.as_of',
  ]);
});
