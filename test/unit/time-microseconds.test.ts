import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { microsecondTimestamp, performance } from '#lib/time';

const wall = vi.spyOn(Date, 'now');
const counter = vi.spyOn(performance, 'now');
afterAll(() => vi.restoreAllMocks());

/** The timestamp while the wall clock and the high-resolution counter show these milliseconds. */
function at(milliseconds: number, counted: number) {
  wall.mockReturnValue(milliseconds);
  counter.mockReturnValue(counted);
  return microsecondTimestamp();
}

const SECOND = '1970-01-01T00:00:01';

beforeEach(() => {
  expect(at(1000, 0)).toBe(`${SECOND}.000000Z`);
});

describe('a timestamp', () => {
  test.each([
    [0.25, '000250'],
    [0.0625, '000062'],
    [0.9990234375, '000999'],
    [1, '001000'],
  ])('has the microseconds that the counter shows: %d ms', (counted, expected) => {
    expect(at(1000, counted)).toBe(`${SECOND}.${expected}Z`);
  });

  test.each([
    ['runs ahead by 1 ms', 1000, 1, '001000'],
    ['falls behind by 1 ms', 1001, 0, '000000'],
    ['falls behind by less', 1007, 6.5, '006500'],
  ])('follows the counter while that %s', (_what, milliseconds, counted, expected) => {
    expect(at(milliseconds, counted)).toBe(`${SECOND}.${expected}Z`);
  });

  test.each([
    ['runs ahead by more than 1 ms', 1000, 1.5, '000000'],
    ['falls behind by more than 1 ms, as while an environment is frozen', 1002, 0.5, '002000'],
    ['falls far behind', 1500, 2, '500000'],
  ])('follows the wall clock where the counter %s', (_what, milliseconds, counted, expected) => {
    expect(at(milliseconds, counted)).toBe(`${SECOND}.${expected}Z`);
  });

  test('goes on from the wall clock that it was set by', () => {
    at(1500, 2);
    expect(at(1501, 3.25)).toBe(`${SECOND}.501250Z`);
  });
});
