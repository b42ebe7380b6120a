import { expect, test } from 'vitest';
import { dateOf, microsecondTimestamp, startOfDay, withOffset, withoutZone } from '#lib/time';

const TIME = Date.UTC(2026, 10, 20, 5, 30, 0, 7);

test('each notation of a time is UTC, whatever zone the process is in', () => {
  expect(withoutZone(TIME)).toBe('2026-11-20T05:30:00.007');
  expect(withOffset(TIME)).toBe('2026-11-20T05:30:00.007+00:00');
  expect(dateOf(TIME)).toBe('2026-11-20');
});

test('a day begins at midnight UTC', () => {
  expect(startOfDay(TIME)).toBe(Date.UTC(2026, 10, 20));
  expect(startOfDay(Date.UTC(2026, 10, 20))).toBe(Date.UTC(2026, 10, 20));
  expect(startOfDay(Date.UTC(2026, 10, 20) - 1)).toBe(Date.UTC(2026, 10, 19));
});

test('times without a zone sort as texts as they do in time', () => {
  const times = [0, 1, 999, 1000, TIME - 1, TIME, TIME + 86_400_000];
  expect(times.map(withoutZone)).toEqual(times.map(withoutZone).sort());
});

test('the timestamp of an answer has six fractional digits, ends in Z and is now', () => {
  for (let i = 0; i < 1000; i++) {
    const before = Date.now();
    const text = microsecondTimestamp();
    expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(Date.parse(text)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(text)).toBeLessThanOrEqual(Date.now() + 1);
  }
});

test('the microseconds are measured', () => {
  const endings = new Set(Array.from({ length: 1000 }, () => microsecondTimestamp().slice(-4)));
  expect(endings.size).toBeGreaterThan(10);
});
