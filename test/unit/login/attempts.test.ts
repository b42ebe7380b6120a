import { expect, test } from 'vitest';
import type { Attempt } from '#lib/item/login-attempts';
import { admit, countable, FROM_ADDRESS, FROM_ANYWHERE, isLockedOut } from '#lib/login/attempts';

const NOW = Date.UTC(2026, 10, 20);
const MINUTE = 60_000;

const attempts = (n: number, each: Partial<Attempt> = {}): Attempt[] =>
  Array.from({ length: n }, (_, index) => ({ id: `${index}`, at: NOW - 1000, from: 'here', ...each }));

test('the limits are 5 in 5 minutes from one address, and 50 in 15 minutes from anywhere', () => {
  expect(FROM_ADDRESS).toEqual({ max: 5, windowMs: 5 * MINUTE });
  expect(FROM_ANYWHERE).toEqual({ max: 50, windowMs: 15 * MINUTE });
});

test('the sixth attempt from an address has to wait until the oldest of the five leaves the window', () => {
  expect(admit(attempts(4), 'here', NOW)).toBe('admitted');
  expect(admit(attempts(5, { at: NOW - 4 * MINUTE }), 'here', NOW)).toEqual({ retryAfter: 60 });
  expect(admit(attempts(5, { at: NOW - 5 * MINUTE + 1 }), 'here', NOW)).toEqual({ retryAfter: 1 });
  expect(admit(attempts(5, { at: NOW - 5 * MINUTE }), 'here', NOW)).toBe('admitted');
  expect(admit(attempts(5), 'elsewhere', NOW)).toBe('admitted');
});

test('attempts that are being verified take up places, and others wait for their outcome', () => {
  expect(admit([...attempts(4), ...attempts(1, { pending: true })], 'here', NOW)).toBe('wait');
  expect(admit(attempts(5, { pending: true }), 'here', NOW)).toBe('wait');
  expect(admit([...attempts(5), ...attempts(3, { pending: true })], 'here', NOW)).toHaveProperty(
    'retryAfter',
  );
});

test('an attempt without an outcome has failed once its function must have ended', () => {
  const abandoned = attempts(5, { pending: true, at: NOW - 15_000 });
  expect(admit(abandoned, 'here', NOW)).toHaveProperty('retryAfter');
});

const from = (n: number, each: Partial<Attempt> = {}) =>
  Array.from({ length: n }, (_, at): Attempt => ({ id: `${at}`, at: NOW - 1, from: `${at}`, ...each }));

test('the last of fifty places is waited for', () => {
  expect(admit(from(50, { pending: true }), 'new', NOW)).toBe('wait');
  expect(admit(from(49, { pending: true }), 'new', NOW)).toBe('admitted');
});

test('fifty failures from anywhere lock the account', () => {
  expect(isLockedOut(from(50), NOW)).toBe(true);
  expect(isLockedOut(from(49), NOW)).toBe(false);
  expect(isLockedOut([...from(49), ...attempts(9, { pending: true })], NOW)).toBe(false);
});

test('an attempt counts for as long as the window, and not once failures were cleared', () => {
  const [at15, within15, cleared, after] = [NOW - 15 * MINUTE, NOW - 15 * MINUTE + 1, NOW - 10, NOW - 9];
  const all = [at15, within15, cleared, after].flatMap((at) => attempts(1, { at }));
  expect(countable(all, NOW, 0).map(({ at }) => at)).toEqual([within15, cleared, after]);
  expect(countable(all, NOW, cleared).map(({ at }) => at)).toEqual([after]);
});
