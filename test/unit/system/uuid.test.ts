import { parse, validate, version } from 'uuid';
import { expect, test } from 'vitest';
import { sqlServerUuids } from '#lib/system/uuid';
import { seededBytes } from '../../names.ts';

const TIME = Date.parse('2022-02-22T19:22:22.000Z');

/** The order in which SQL Server compares the bytes of a uniqueidentifier. */
const SQL_SERVER_ORDER = [10, 11, 12, 13, 14, 15, 8, 9, 7, 6, 5, 4, 3, 2, 1, 0];

/** The bytes of a UUID as a text that sorts as SQL Server sorts the UUID. */
function sortKeyOf(text: string): string {
  const bytes = parse(text);
  return Buffer.from(SQL_SERVER_ORDER.map((index) => bytes[index] as number)).toString('hex');
}

function expectAscending(uuids: readonly string[]) {
  const keys = uuids.map(sortKeyOf);
  expect(keys).toEqual([...new Set(keys)].sort());
}

const timeOf = (text: string) => Number.parseInt(text.slice(-12), 16);
const counterOf = (text: string) => Number.parseInt(text.slice(19, 23), 16) & 0x3fff;

/** Random bytes that are the same for every UUID: 8 of its own, then 2 that may start the counter. */
const constant = (hex: string) => (length: number) => Buffer.alloc(length, hex, 'hex');

test.each([
  ['c2ff3d1fe3b10dad0361', TIME, 'c2ff3d1f-e3b1-7dad-8361-017f22e279b0'],
  ['00', TIME, '00000000-0000-7000-8000-017f22e279b0'],
  ['ff', TIME, 'ffffffff-ffff-7fff-9fff-017f22e279b0'],
  ['ff', 0, 'ffffffff-ffff-7fff-9fff-000000000000'],
  ['ff', 2 ** 48 - 1, 'ffffffff-ffff-7fff-9fff-ffffffffffff'],
])(
  'a UUID consists of random bytes, version, variant, counter and time: %s at %i',
  (random, time, expected) => {
    expect(sqlServerUuids(() => time, constant(random))(1)).toEqual([expected]);
  },
);

test('a UUID is a valid version 7, carries the time and is never the same', () => {
  const before = Date.now();
  const uuids = sqlServerUuids()(10_000);
  expect(uuids.filter((each) => !validate(each) || version(each) !== 7)).toEqual([]);
  expect(timeOf(uuids[0] as string)).toBeGreaterThanOrEqual(before);
  expect(timeOf(uuids[0] as string)).toBeLessThanOrEqual(Date.now());
  expect(new Set(uuids.map((each) => each.slice(0, 18))).size).toBe(10_000);
});

test('a UUID uses ten random bytes of its own, requested for all UUIDs at once', () => {
  const requested: number[] = [];
  const generate = sqlServerUuids(
    () => TIME,
    (bytes) => {
      requested.push(bytes);
      return Uint8Array.from({ length: bytes }, (_, index) => index);
    },
  );
  expect(generate(3)).toEqual([
    '00010203-0405-7607-8809-017f22e279b0',
    '0a0b0c0d-0e0f-7011-880a-017f22e279b0',
    '14151617-1819-7a1b-880b-017f22e279b0',
  ]);
  expect(requested).toEqual([30]);
});

/** A clock that advances by 1 ms with each read. */
const ticking = () => {
  let time = TIME;
  return () => time++;
};

test.each([
  ['within a millisecond from random bytes', sqlServerUuids(() => TIME, seededBytes), [10_000]],
  ['within a millisecond from high bytes', sqlServerUuids(() => TIME, constant('ff')), [10_000]],
  ['within a millisecond from low bytes', sqlServerUuids(() => TIME, constant('00')), [10_000]],
  ['over several calls by the real clock', sqlServerUuids(), Array(100).fill(100)],
  ['when milliseconds pass', sqlServerUuids(ticking()), [1000, ...Array(1000).fill(1)]],
])('SQL Server sorts UUIDs by creation %s', (_when, generate, counts: number[]) => {
  expectAscending(counts.flatMap(generate));
});

test('SQL Server sorts UUIDs by creation when the clock is set back, and when it has caught up', () => {
  let time = TIME;
  const generate = sqlServerUuids(() => time);
  const uuids = [TIME, TIME - 3_600_000, TIME + 1].flatMap((clock) => {
    time = clock;
    return generate(3);
  });
  expectAscending(uuids);
  expect(uuids.map(timeOf)).toEqual([...Array(6).fill(TIME), ...Array(3).fill(TIME + 1)]);
});

test('SQL Server sorts UUIDs by creation when the counter overflows, which advances the time by 1 ms', () => {
  const HALF = 0x2000;
  const uuids = sqlServerUuids(() => TIME, constant('ff'))(2 * (HALF + 1) + 1);
  expectAscending(uuids);
  const [first, last] = [0x1fff, 0x3fff];
  const ends = [0, HALF, HALF + 1, 2 * HALF + 1, 2 * HALF + 2].map((index) => uuids[index] as string);
  expect(ends.map((each) => timeOf(each) - TIME)).toEqual([0, 0, 1, 1, 2]);
  expect(ends.map(counterOf)).toEqual([first, last, first, last, first]);
});

test('the counter starts at 13 random bits in each millisecond', () => {
  const generate = sqlServerUuids(ticking(), seededBytes);
  const counters = Array.from({ length: 1000 }, () => generate(1).map(counterOf)).flat();
  expect(Math.max(...counters)).toBeLessThan(0x2000);
  expect(new Set(counters).size).toBeGreaterThan(900);
});
