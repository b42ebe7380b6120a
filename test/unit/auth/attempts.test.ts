import { expect, test } from 'vitest';
import { counted, FROM_ADDRESS, FROM_ANYWHERE, isFull, retryAfter } from '#lib/auth/attempts';

const NOW = Date.UTC(2026, 10, 20);
const MINUTE = 60_000;

test('the limits are 5 in 5 minutes from one address, and 50 in 15 minutes from anywhere', () => {
  expect(FROM_ADDRESS).toEqual({ max: 5, windowMs: 5 * MINUTE });
  expect(FROM_ANYWHERE).toEqual({ max: 50, windowMs: 15 * MINUTE });
});

test('a failure counts for as long as the window, to the millisecond', () => {
  const failures = [NOW - 5 * MINUTE - 1, NOW - 5 * MINUTE, NOW - 5 * MINUTE + 1, NOW];
  expect(counted({ failures }, FROM_ADDRESS, NOW, 0)).toEqual(failures.slice(2));
});

test('a failure before or at the time of clearing counts no more', () => {
  const failures = [NOW - 3, NOW - 2, NOW - 1];
  expect(counted({ failures }, FROM_ADDRESS, NOW, NOW - 2)).toEqual([NOW - 1]);
});

test('without an item nothing has failed', () => {
  expect(counted(undefined, FROM_ADDRESS, NOW, 0)).toEqual([]);
});

test('the limit is reached with its last failure', () => {
  expect(isFull([1, 2, 3, 4], FROM_ADDRESS)).toBe(false);
  expect(isFull([1, 2, 3, 4, 5], FROM_ADDRESS)).toBe(true);
});

test('a client is told to wait until the oldest failure leaves the window, a second at least', () => {
  expect(retryAfter([NOW - 4 * MINUTE, NOW], FROM_ADDRESS, NOW)).toBe(60);
  expect(retryAfter([NOW - 5 * MINUTE + 1], FROM_ADDRESS, NOW)).toBe(1);
  expect(retryAfter([NOW - 6 * MINUTE], FROM_ADDRESS, NOW)).toBe(1);
});
