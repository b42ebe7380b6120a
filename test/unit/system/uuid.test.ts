import { randomBytes } from 'node:crypto';
import { parse, validate, version } from 'uuid';
import { describe, expect, test } from 'vitest';
import * as uuid from '#lib/system/uuid';

/** The generator, its JSON read. */
function sqlServerUuids(...sources: Parameters<typeof uuid.sqlServerUuids>) {
  const generate = uuid.sqlServerUuids(...sources);
  return (n: number) => JSON.parse(generate(n)) as string[];
}

const TIME = Date.parse('2022-02-22T19:22:22.000Z');

/** The order in which SQL Server compares the bytes of a uniqueidentifier, as they stand in its text. */
const SQL_SERVER_ORDER = [10, 11, 12, 13, 14, 15, 8, 9, 7, 6, 5, 4, 3, 2, 1, 0];

function compareAsSqlServer(one: string, other: string): number {
  const [left, right] = [parse(one), parse(other)];
  for (const byte of SQL_SERVER_ORDER) {
    const difference = (left[byte] as number) - (right[byte] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

const isAscending = (uuids: readonly string[]) =>
  uuids.every((uuid, index) => index === 0 || compareAsSqlServer(uuids[index - 1] as string, uuid) < 0);

const timeOf = (uuid: string) => Number.parseInt(uuid.slice(-12), 16);
const counterOf = (uuid: string) => Number.parseInt(uuid.slice(19, 23), 16) & 0x3fff;

/** Random bytes that are the same for every UUID: 8 of its own, then 2 that may start the counter. */
const constant = (hex: string) => (length: number) => Buffer.alloc(length, hex, 'hex');

describe('a UUID', () => {
  test('has the documented layout', () => {
    const generate = sqlServerUuids(() => TIME, constant('c2ff3d1fe3b10dad0361'));
    expect(generate(1)).toEqual(['c2ff3d1f-e3b1-7dad-8361-017f22e279b0']);
  });

  test('keeps version and variant whatever the random bytes are', () => {
    for (const byte of ['00', 'ff']) {
      const [uuid = ''] = sqlServerUuids(() => TIME, constant(byte))(1);
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-017f22e279b0$/);
    }
  });

  test('is a valid version 7 and never the same', () => {
    const uuids = sqlServerUuids()(10_000);
    for (const uuid of uuids) expect(validate(uuid) && version(uuid) === 7, uuid).toBe(true);
    expect(new Set(uuids).size).toBe(10_000);
  });

  test('has random bits of its own, not those of its neighbour', () => {
    const heads = sqlServerUuids(() => TIME)(10_000).map((uuid) => uuid.slice(0, 18));
    expect(new Set(heads).size).toBe(10_000);
  });

  test('carries the time of its making', () => {
    const before = Date.now();
    const [uuid = ''] = sqlServerUuids()(1);
    expect(timeOf(uuid)).toBeGreaterThanOrEqual(before);
    expect(timeOf(uuid)).toBeLessThanOrEqual(Date.now());
  });
});

describe('UUIDs sort in SQL Server as they were made', () => {
  test('10,000 within one millisecond', () => {
    for (const random of [randomBytes, constant('ff'), constant('00')])
      expect(isAscending(sqlServerUuids(() => TIME, random)(10_000))).toBe(true);
  });

  test('10,000 by the real clock, in several calls', () => {
    const generate = sqlServerUuids();
    expect(isAscending(Array.from({ length: 100 }, () => generate(100)).flat())).toBe(true);
  });

  test('over milliseconds that pass', () => {
    let time = TIME;
    const generate = sqlServerUuids(() => time++);
    expect(isAscending(generate(1000))).toBe(true);
    expect(isAscending(Array.from({ length: 1000 }, () => generate(1)).flat())).toBe(true);
  });

  test('when the clock is set back, and on when it has caught up', () => {
    let time = TIME;
    const generate = sqlServerUuids(() => time);
    const uuids = generate(3);
    time = TIME - 3_600_000;
    uuids.push(...generate(3));
    time = TIME + 1;
    uuids.push(...generate(3));
    expect(isAscending(uuids)).toBe(true);
    expect(uuids.map(timeOf)).toEqual([...Array(6).fill(TIME), ...Array(3).fill(TIME + 1)]);
  });

  test('where the counter of a millisecond overflows', () => {
    const generate = sqlServerUuids(() => TIME, constant('ff'));
    const uuids = generate(8193 + 8193 + 1);
    expect(isAscending(uuids)).toBe(true);
    const summary = [0, 8192, 8193, 8193 + 8192, 8193 + 8193].map((index) => {
      const uuid = uuids[index] as string;
      return [timeOf(uuid) - TIME, counterOf(uuid)];
    });
    expect(summary).toEqual([
      [0, 0x1fff],
      [0, 0x3fff],
      [1, 0x1fff],
      [1, 0x3fff],
      [2, 0x1fff],
    ]);
  });
});

test('a new millisecond starts the counter at 13 random bits, so that the rest of it is left to count', () => {
  let time = TIME;
  const generate = sqlServerUuids(() => time++);
  const counters = Array.from({ length: 1000 }, () => generate(1))
    .flat()
    .map(counterOf);
  expect(Math.max(...counters)).toBeLessThan(0x2000);
  expect(new Set(counters).size).toBeGreaterThan(900);
});

test('each takes ten random bytes of its own, all asked for at once', () => {
  const asked: number[] = [];
  const generate = sqlServerUuids(
    () => TIME,
    (bytes) => {
      asked.push(bytes);
      return Uint8Array.from({ length: bytes }, (_, index) => index);
    },
  );
  expect(generate(3)).toEqual([
    '00010203-0405-7607-8809-017f22e279b0',
    '0a0b0c0d-0e0f-7011-880a-017f22e279b0',
    '14151617-1819-7a1b-880b-017f22e279b0',
  ]);
  expect(asked).toEqual([30]);
});

test('16 of one call share a look at the clock', () => {
  let time = TIME;
  const times = sqlServerUuids(() => time++)(33).map(timeOf);
  expect(times).toEqual([...Array(16).fill(TIME), ...Array(16).fill(TIME + 1), TIME + 2]);
});

test('within a millisecond the counter goes on by one, whatever the random bytes are', () => {
  let byte = 0;
  const generate = sqlServerUuids(
    () => TIME,
    (bytes) => Buffer.alloc(bytes, ++byte),
  );
  expect([...generate(2), ...generate(2)].map(counterOf)).toEqual([0x101, 0x102, 0x103, 0x104]);
});

test('the first of all starts its counter, whenever that is', () => {
  for (const time of [0, 1, 2 ** 48 - 1])
    expect(
      sqlServerUuids(() => time, constant('ff'))(1).map((uuid) => [timeOf(uuid), counterOf(uuid)]),
    ).toEqual([[time, 0x1fff]]);
});

test('they are written as JSON, compactly but for a space between them', () => {
  for (const n of [0, 1, 2, 3]) {
    const text = uuid.sqlServerUuids()(n);
    expect(text).toBe(JSON.stringify(JSON.parse(text)).replaceAll(',', ', '));
    expect(JSON.parse(text)).toHaveLength(n);
  }
});

test('none are none', () => {
  expect(sqlServerUuids()(0)).toEqual([]);
});
