import { expect, test } from 'vitest';
import { logKeyAge } from '#lib/session/key-age';
import { DAY_MS } from '#lib/time';
import { NOON } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';

const lines = logLines();

test.each<[number | undefined, object[]]>([
  [0, [{ keyAgeDays: 0 }]],
  [DAY_MS - 1, [{ keyAgeDays: 0 }]],
  [DAY_MS, [{ keyAgeDays: 1 }]],
  [92.9 * DAY_MS, [{ keyAgeDays: 92 }]],
  [-1, [{ keyAgeDays: 0 }]],
  [undefined, []],
])('logKeyAge logs the days of a key of %s ms', (age, logged) => {
  logKeyAge('k', age === undefined ? undefined : new Date(NOON - age), NOON);
  expect(lines).toMatchObject(logged.map((days) => ({ level: 'info', kid: 'k', ...days })));
});
