import { describe, expect, test } from 'vitest';
import type { Attempt } from '#lib/item/login-attempts';
import {
  admit,
  countable,
  isExhausted,
  isKnown,
  isLockedOut,
  PER_ADDRESS,
  PER_NAME,
  PER_PAIR,
} from '#lib/login/attempts';

const NOW = Date.UTC(2026, 10, 20);
const MINUTE = 60_000;
const DAY = 86_400_000;

const attempts = (n: number, each: Partial<Attempt> = {}): Attempt[] =>
  Array.from({ length: n }, (_, index) => ({ id: `${index}`, at: NOW - 1000, from: 'here', ...each }));
const item = { attempts: [], revision: 1 };

test('the limits are 5 of a pair in 5 minutes, and 50 of an address and of a name in 15 minutes', () => {
  expect(PER_PAIR).toMatchObject({ max: 5, windowMs: 5 * MINUTE, knownMs: 30 * DAY });
  expect(PER_ADDRESS).toMatchObject({ max: 50, windowMs: 15 * MINUTE });
  expect(PER_NAME).toMatchObject({ max: 50, windowMs: 15 * MINUTE, lockoutMs: 15 * MINUTE });
});

describe('an attempt', () => {
  test('after as many failures as may be waits until the oldest of them leaves the window', () => {
    expect(admit(attempts(4), PER_PAIR, NOW)).toBe('admitted');
    expect(admit(attempts(5, { at: NOW - 4 * MINUTE }), PER_PAIR, NOW)).toEqual({ retryAfter: 60 });
    expect(admit(attempts(5, { at: NOW - 5 * MINUTE + 1 }), PER_PAIR, NOW)).toEqual({ retryAfter: 1 });
    expect(admit(attempts(49), PER_ADDRESS, NOW)).toBe('admitted');
    expect(admit(attempts(50, { at: NOW - 14 * MINUTE }), PER_ADDRESS, NOW)).toEqual({ retryAfter: 60 });
  });

  test('waits for the oldest of the last failures, where there are more', () => {
    const older = attempts(1, { at: NOW - 4 * MINUTE });
    const last = attempts(5, { at: NOW - 3 * MINUTE });
    expect(admit([...older, ...last], PER_PAIR, NOW)).toEqual({ retryAfter: 120 });
  });

  test('waits for the outcome of those that are being verified', () => {
    expect(admit([...attempts(4), ...attempts(1, { pending: true })], PER_PAIR, NOW)).toBe('wait');
    expect(admit(attempts(5, { pending: true }), PER_PAIR, NOW)).toBe('wait');
    expect(admit(attempts(50, { pending: true }), PER_NAME, NOW)).toBe('wait');
    expect(admit(attempts(49, { pending: true }), PER_NAME, NOW)).toBe('admitted');
    expect(admit([...attempts(5), ...attempts(3, { pending: true })], PER_PAIR, NOW)).toHaveProperty(
      'retryAfter',
    );
  });

  test('without an outcome has failed once its function must have ended', () => {
    const at = (at: number) => admit(attempts(5, { pending: true, at }), PER_PAIR, NOW);
    expect([at(NOW - 14_999), at(NOW - 15_000)]).toEqual(['wait', { retryAfter: 285 }]);
  });

  test('counts for as long as the window, and not once failures were cleared', () => {
    const [at5, within5, cleared, after] = [NOW - 5 * MINUTE, NOW - 5 * MINUTE + 1, NOW - 10, NOW - 9];
    const all = [at5, within5, cleared, after].flatMap((at) => attempts(1, { at }));
    expect(countable(all, PER_PAIR, NOW, 0).map(({ at }) => at)).toEqual([within5, cleared, after]);
    expect(countable(all, PER_NAME, NOW, 0)).toHaveLength(4);
    expect(countable(all, PER_PAIR, NOW, cleared).map(({ at }) => at)).toEqual([after]);
  });
});

test('a limit is exhausted by failures, not by what is being verified', () => {
  expect(isExhausted(attempts(50), PER_NAME, NOW)).toBe(true);
  expect(isExhausted(attempts(49), PER_NAME, NOW)).toBe(false);
  expect(isExhausted([...attempts(49), ...attempts(9, { pending: true })], PER_NAME, NOW)).toBe(false);
});

test('a lockout lasts for 15 minutes, unless failures are cleared', () => {
  const locked_at = NOW - 15 * MINUTE;
  const lockedOut = (now: number, clearedAt = 0) =>
    isLockedOut({ ...item, locked_at }, PER_NAME, now, clearedAt);
  expect([lockedOut(NOW - 1), lockedOut(NOW)]).toEqual([true, false]);
  expect([lockedOut(NOW - 1, locked_at - 1), lockedOut(NOW - 1, locked_at)]).toEqual([true, false]);
  expect(isLockedOut({ ...item, locked_at }, PER_PAIR, locked_at + 1, 0)).toBe(false);
  expect([isLockedOut(item, PER_NAME, NOW, 0), isLockedOut(undefined, PER_NAME, NOW, 0)]).toEqual([
    false,
    false,
  ]);
});

test('an address is known for 30 days after a login', () => {
  const known = (now: number) => isKnown({ ...item, known_at: NOW }, PER_PAIR, now);
  expect([known(NOW), known(NOW + 30 * DAY - 1), known(NOW + 30 * DAY)]).toEqual([true, true, false]);
  expect([isKnown(item, PER_PAIR, NOW), isKnown(undefined, PER_PAIR, NOW)]).toEqual([false, false]);
  expect(isKnown({ ...item, known_at: NOW }, PER_NAME, NOW)).toBe(false);
});
