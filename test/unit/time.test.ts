import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { microsecondTimestamp, performance } from '#lib/precise-time';
import { dateOf, startOfDay, withOffset, withoutZone } from '#lib/time';

const TIME = Date.UTC(2026, 10, 20, 5, 30, 0, 7);

test('each notation of a time is UTC', () => {
  expect(withoutZone(TIME)).toBe('2026-11-20T05:30:00.007');
  expect(withOffset(TIME)).toBe('2026-11-20T05:30:00.007+00:00');
  expect(dateOf(TIME)).toBe('2026-11-20');
});

test('a day begins at midnight UTC', () => {
  expect(startOfDay(TIME)).toBe(Date.UTC(2026, 10, 20));
  expect(startOfDay(Date.UTC(2026, 10, 20))).toBe(Date.UTC(2026, 10, 20));
  expect(startOfDay(Date.UTC(2026, 10, 20) - 1)).toBe(Date.UTC(2026, 10, 19));
});

test('the timestamp of an answer is now, with measured microseconds', () => {
  // The system may correct its clock at any time: this one follows the counter from now on.
  const [start, counted] = [Date.now(), performance.now()];
  const clock = vi
    .spyOn(Date, 'now')
    .mockImplementation(() => start + Math.floor(performance.now() - counted));
  const before = Date.now();
  const timestamps = Array.from({ length: 1000 }, () => microsecondTimestamp());
  for (const text of timestamps) {
    expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(Date.parse(text)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(text)).toBeLessThanOrEqual(Date.now() + 1);
  }
  expect(new Set(timestamps.map((text) => text.slice(-4))).size).toBeGreaterThan(10);
  clock.mockRestore();
});

test('the counter has milliseconds and their fraction', () => {
  const counter = vi.spyOn(process.hrtime, 'bigint').mockReturnValue(2_003_500_000n);
  expect(performance.now()).toBe(2003.5);
  counter.mockRestore();
});

describe('a timestamp, set at 1 s with the counter at 0,', () => {
  /** The second and its fraction when the wall clock and the counter show these milliseconds. */
  function at(milliseconds: number, counted: number) {
    vi.spyOn(Date, 'now').mockReturnValue(milliseconds);
    vi.spyOn(performance, 'now').mockReturnValue(counted);
    return microsecondTimestamp().slice('1970-01-01T00:00:0'.length);
  }

  beforeEach(() => {
    expect(at(1000, 0)).toBe('1.000000Z');
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each([
    ['has the microseconds of the counter', 1000, 0.25, '000250'],
    ['rounds to a lower microsecond', 1000, 0.0625, '000062'],
    ['has the last microsecond', 1000, 0.9990234375, '000999'],
    ['follows the counter when it is ahead by 1 ms', 1000, 1, '001000'],
    ['follows the counter when it is behind by 1 ms', 1001, 0, '000000'],
    ['follows the counter when it is behind by less', 1007, 6.5, '006500'],
    ['follows the wall clock when the counter is ahead by more', 1000, 1.5, '000000'],
    ['follows the wall clock when the counter is behind by more', 1002, 0.5, '002000'],
    ['follows the wall clock when the counter is far behind', 1500, 2, '500000'],
  ])('%s', (_what, milliseconds, counted, fraction) => {
    expect(at(milliseconds, counted)).toBe(`1.${fraction}Z`);
  });

  test('continues from the wall clock by which it was set again', () => {
    at(1500, 2);
    expect(at(1501, 3.25)).toBe('1.501250Z');
  });
});
