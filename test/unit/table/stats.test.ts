import { beforeEach, describe, expect, test } from 'vitest';
import { allCounters, counterKey } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { countActivity, countIn, readCounters } from '#lib/table/stats';
import { remove, transact } from '#lib/table/write';
import { NOON, openTestTable } from '../engine.ts';

const { table, wire, operations } = await openTestTable();

const DAY = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 10, 20);

beforeEach(async () => {
  const counters = await query(table, allCounters);
  await Promise.all(counters.map(({ SK }) => remove(table, { PK: 'STATS', SK })));
  wire.reset();
});

const add = (...writes: Parameters<typeof transact>[1]) => transact(table, writes);
const read = (now = NOON) => readCounters(table, now);
/** The counters as they stand. */
const standing = async () =>
  Object.fromEntries((await query(table, allCounters)).map(({ SK, ...counter }) => [SK, counter]));

describe('a counter', () => {
  test('begins at nothing and is changed by one', async () => {
    await add(countIn('COUNT', 'ada', 1));
    await add(countIn('COUNT', 'ada', 1));
    await add(countIn('COUNT', 'ada', -1));
    expect(await get(table, counterKey('COUNT', 'ada'))).toEqual({ PK: 'STATS', SK: 'COUNT#5', n: 1 });
  });

  test('is spread over shards by username, in whatever case, and summed up', async () => {
    await add(countIn('COUNT', 'ada', 1), countIn('COUNT', 'grace', 1), countIn('COUNT', 'kim', 1));
    await add(countIn('COUNT', 'ADA', 1));
    expect(await standing()).toEqual({
      'COUNT#5': { PK: 'STATS', n: 2 },
      'COUNT#0': { PK: 'STATS', n: 1 },
      'COUNT#6': { PK: 'STATS', n: 1 },
    });
    expect(await read()).toEqual({ count: 4, locked: 0, last_week: 0, today: 0 });
  });

  test('expires when it is told to', async () => {
    await add(countIn('COUNT', 'ada', 1, 1_795_000_000));
    expect(await standing()).toEqual({ 'COUNT#5': { PK: 'STATS', n: 1, ttl: 1_795_000_000 } });
  });
});

describe('the statistics', () => {
  test('of an empty table are nothing', async () => {
    expect(await read()).toEqual({ count: 0, locked: 0, last_week: 0, today: 0 });
    expect(operations()).toEqual(['Query']);
  });

  test('tell accounts and locked accounts apart', async () => {
    await add(countIn('COUNT', 'ada', 1), countIn('LOCKED', 'ada', 1), countIn('COUNT', 'grace', 1));
    expect(await read()).toEqual({ count: 2, locked: 1, last_week: 0, today: 0 });
  });

  test.each([
    ['today, at its first millisecond', MIDNIGHT, 1, 1],
    ['today, at its last millisecond', MIDNIGHT + DAY - 1, 1, 1],
    ['yesterday, at its last millisecond', MIDNIGHT - 1, 1, 0],
    ['six days ago, at its first millisecond', MIDNIGHT - 6 * DAY, 1, 0],
    ['seven days ago, at its last millisecond', MIDNIGHT - 6 * DAY - 1, 0, 0],
    ['tomorrow, by a clock that is ahead', MIDNIGHT + DAY, 0, 0],
  ])('count who was last active %s', async (_when, active, last_week, today) => {
    await add(...countActivity('ada', active));
    for (const now of [MIDNIGHT, NOON, MIDNIGHT + DAY - 1])
      expect(await read(now)).toEqual({ count: 0, locked: 0, last_week, today });
  });

  test('of the last week are the sum of its days', async () => {
    for (let ago = 0; ago < 9; ago++) await add(...countActivity('ada', NOON - ago * DAY));
    await add(...countActivity('grace', NOON));
    expect(await read()).toEqual({ count: 0, locked: 0, last_week: 8, today: 2 });
  });
});

describe('an account that is active', () => {
  test('arrives at the day, whose counter lives nine days more, in whole seconds', async () => {
    const now = NOON + 999;
    expect(countActivity('ada', now)).toHaveLength(1);
    await add(...countActivity('ada', now));
    expect(await standing()).toEqual({
      'DAY#2026-11-20#5': { PK: 'STATS', n: 1, ttl: NOON / 1000 + 9 * 86_400 },
    });
  });

  test('leaves the day that it was last active on, whose end stays as it was', async () => {
    const [yesterday, today] = [NOON - DAY, NOON];
    await add(...countActivity('ada', yesterday));
    await add(...countActivity('ada', today, yesterday));
    expect(await standing()).toEqual({
      'DAY#2026-11-19#5': { PK: 'STATS', n: 0, ttl: NOON / 1000 + 8 * 86_400 },
      'DAY#2026-11-20#5': { PK: 'STATS', n: 1, ttl: NOON / 1000 + 9 * 86_400 },
    });
  });

  test.each([
    ['a millisecond less than nine days ago', 9 * DAY - 1, 2],
    ['nine days ago, where its counter may have expired', 9 * DAY, 1],
    ['long ago', 400 * DAY, 1],
  ])('and was last so %s is counted in as many days as are kept', (_when, ago, writes) => {
    const changes = countActivity('ada', NOON, NOON - ago);
    expect(changes.map(({ Update }) => Update?.ExpressionAttributeValues?.[':by'])).toEqual(
      [1, -1].slice(0, writes),
    );
  });

  test('leaves a day that is the epoch itself', () => {
    expect(countActivity('ada', 1000, 0)).toHaveLength(2);
  });
});
