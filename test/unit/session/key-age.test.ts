import { expect, test } from 'vitest';
import { tellKeyAge } from '#lib/session/key-age';
import { DAY_MS } from '#lib/time';
import { NOON } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';

const lines = logLines();

test.each([
  [0, 0],
  [DAY_MS - 1, 0],
  [DAY_MS, 1],
  [92.9 * DAY_MS, 92],
  [-1, 0],
])('a key that is %i ms old is %i days old', (age, keyAgeDays) => {
  tellKeyAge('k', new Date(NOON - age), NOON);
  expect(lines).toMatchObject([{ level: 'info', kid: 'k', keyAgeDays }]);
});

test('of a key of unknown age nothing is told', () => {
  tellKeyAge('k', undefined, NOON);
  expect(lines).toEqual([]);
});
