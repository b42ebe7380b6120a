import { expect, test } from 'vitest';
import { admit, FROM_ADDRESS, FROM_ANYWHERE, isLockedOut, remembered, type Try } from '#lib/auth/tries';

const NOW = Date.UTC(2026, 10, 20);
const MINUTE = 60_000;

const tries = (n: number, each: Partial<Try> = {}): Try[] =>
  Array.from({ length: n }, (_, index) => ({ id: `${index}`, at: NOW - 1000, from: 'here', ...each }));

test('the limits are 5 in 5 minutes from one address, and 50 in 15 minutes from anywhere', () => {
  expect(FROM_ADDRESS).toEqual({ max: 5, windowMs: 5 * MINUTE });
  expect(FROM_ANYWHERE).toEqual({ max: 50, windowMs: 15 * MINUTE });
});

test('the sixth try from an address is refused until the oldest of the five leaves the window', () => {
  expect(admit(tries(4), 'here', NOW)).toBe('admitted');
  expect(admit(tries(5, { at: NOW - 4 * MINUTE }), 'here', NOW)).toEqual({ retryAfter: 60 });
  expect(admit(tries(5, { at: NOW - 5 * MINUTE + 1 }), 'here', NOW)).toEqual({ retryAfter: 1 });
  expect(admit(tries(5, { at: NOW - 5 * MINUTE }), 'here', NOW)).toBe('admitted');
  expect(admit(tries(5), 'elsewhere', NOW)).toBe('admitted');
});

test('tries that are being verified take up places, and others wait for their outcome', () => {
  expect(admit([...tries(4), ...tries(1, { pending: true })], 'here', NOW)).toBe('wait');
  expect(admit(tries(5, { pending: true }), 'here', NOW)).toBe('wait');
  expect(admit([...tries(5), ...tries(3, { pending: true })], 'here', NOW)).toHaveProperty('retryAfter');
});

test('a try without an outcome has failed once its function must have ended', () => {
  const abandoned = tries(5, { pending: true, at: NOW - 15_000 });
  expect(admit(abandoned, 'here', NOW)).toHaveProperty('retryAfter');
});

const from = (n: number, each: Partial<Try> = {}) =>
  Array.from({ length: n }, (_, at): Try => ({ id: `${at}`, at: NOW - 1, from: `${at}`, ...each }));

test('the last of fifty places is waited for', () => {
  expect(admit(from(50, { pending: true }), 'new', NOW)).toBe('wait');
  expect(admit(from(49, { pending: true }), 'new', NOW)).toBe('admitted');
});

test('fifty failures from anywhere lock the account', () => {
  expect(isLockedOut(from(50), NOW)).toBe(true);
  expect(isLockedOut(from(49), NOW)).toBe(false);
  expect(isLockedOut([...from(49), ...tries(9, { pending: true })], NOW)).toBe(false);
});

test('a try counts for as long as the window, and not once failures were cleared', () => {
  const [at15, within15, cleared, after] = [NOW - 15 * MINUTE, NOW - 15 * MINUTE + 1, NOW - 10, NOW - 9];
  const all = [at15, within15, cleared, after].flatMap((at) => tries(1, { at }));
  expect(remembered(all, NOW, 0).map(({ at }) => at)).toEqual([within15, cleared, after]);
  expect(remembered(all, NOW, cleared).map(({ at }) => at)).toEqual([after]);
});
