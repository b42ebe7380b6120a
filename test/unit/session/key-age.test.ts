import { expect, test } from 'vitest';
import { logKeyAge } from '#lib/session/key-age';
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
])('logKeyAge logs a key of %i ms as %i days old', (age, keyAgeDays) => {
  logKeyAge('k', new Date(NOON - age), NOON);
  expect(lines).toMatchObject([{ level: 'info', kid: 'k', keyAgeDays }]);
});

test('logKeyAge logs nothing when the age is unknown', () => {
  logKeyAge('k', undefined, NOON);
  expect(lines).toEqual([]);
});
