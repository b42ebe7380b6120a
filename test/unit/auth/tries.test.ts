import { expect, test } from 'vitest';
import { admit, FROM_ADDRESS, FROM_ANYWHERE, lockAccount, remembered, type Try } from '#lib/auth/tries';

const NOW = Date.UTC(2026, 10, 20);
const MINUTE = 60_000;

const tries = (n: number, each: Partial<Try> = {}): Try[] =>
  Array.from({ length: n }, (_, index) => ({ id: `${index}`, at: NOW - 1000, from: 'here', ...each }));

test('the limits are 5 in 5 minutes from one address, and 50 in 15 minutes from anywhere', () => {
  expect(FROM_ADDRESS).toEqual({ max: 5, windowMs: 5 * MINUTE });
  expect(FROM_ANYWHERE).toEqual({ max: 50, windowMs: 15 * MINUTE });
});

test('the sixth try from an address is refused until the oldest of the five leaves the window', () => {
  expect(admit(tries(4), 'here', NOW, true)).toBe('admitted');
  expect(admit(tries(5, { at: NOW - 4 * MINUTE }), 'here', NOW, true)).toEqual({ retryAfter: 60 });
  expect(admit(tries(5, { at: NOW - 5 * MINUTE + 1 }), 'here', NOW, true)).toEqual({ retryAfter: 1 });
  expect(admit(tries(5, { at: NOW - 5 * MINUTE }), 'here', NOW, true)).toBe('admitted');
  expect(admit(tries(5), 'elsewhere', NOW, true)).toBe('admitted');
});

test('tries that are being verified take up places, and others wait for their outcome', () => {
  expect(admit([...tries(4), ...tries(1, { pending: true })], 'here', NOW, true)).toBe('wait');
  expect(admit(tries(5, { pending: true }), 'here', NOW, true)).toBe('wait');
  expect(admit([...tries(5), ...tries(3, { pending: true })], 'here', NOW, true)).toHaveProperty(
    'retryAfter',
  );
});

test('a try without an outcome has failed once its function must have ended', () => {
  const abandoned = tries(5, { pending: true, at: NOW - 15_000 });
  expect(admit(abandoned, 'here', NOW, true)).toHaveProperty('retryAfter');
});

test('the last of fifty places is waited for, unless failures cannot lock the account', () => {
  const many = Array.from(
    { length: 50 },
    (_, n): Try => ({ id: `${n}`, at: NOW - 1, from: `${n}`, pending: true }),
  );
  expect(admit(many, 'new', NOW, true)).toBe('wait');
  expect(admit(many, 'new', NOW, false)).toBe('admitted');
  expect(admit(many.slice(1), 'new', NOW, true)).toBe('admitted');
});

test('fifty failures from anywhere lock the account, but for those made while it was locked', () => {
  const many = Array.from({ length: 50 }, (_, n): Try => ({ id: `${n}`, at: NOW - 1, from: `${n}` }));
  expect(lockAccount(many, NOW)).toBe(true);
  expect(lockAccount(many.slice(1), NOW)).toBe(false);
  expect(lockAccount([...many.slice(1), ...tries(9, { locked: true })], NOW)).toBe(false);
  expect(lockAccount([...many.slice(1), ...tries(9, { pending: true })], NOW)).toBe(false);
});

test('a try counts for as long as the window, and not once failures were cleared', () => {
  const [at15, within15, cleared, after] = [NOW - 15 * MINUTE, NOW - 15 * MINUTE + 1, NOW - 10, NOW - 9];
  const all = [at15, within15, cleared, after].flatMap((at) => tries(1, { at }));
  expect(remembered(all, NOW, 0).map(({ at }) => at)).toEqual([within15, cleared, after]);
  expect(remembered(all, NOW, cleared).map(({ at }) => at)).toEqual([after]);
});

test('no more tries are remembered than an item can hold', () => {
  expect(remembered(tries(600), NOW, 0)).toHaveLength(500);
});
