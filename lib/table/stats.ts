import { DAY_MS, dateOf } from '../time.ts';
import { allCounters, counterKey } from './keys.ts';
import { query } from './read.ts';
import type { Table } from './table.ts';
import type { TransactWrite } from './write.ts';

/** Days that `last_week` looks back on, today included. */
const WEEK = 7;

/** Counters of a day are kept two days longer than they are read, for clocks that differ. */
const KEPT_DAYS = WEEK + 2;

/** A counter of the whole directory: all accounts, those locked by an administrator, those last active on a date. */
type CounterName = 'COUNT' | 'LOCKED' | `DAY#${string}`;

/** Changes a counter as a part of the transaction that changes what it counts. */
export const countIn = (counter: CounterName, username: string, by: number, ttl?: number): TransactWrite => ({
  Update: {
    Key: counterKey(counter, username),
    UpdateExpression: ttl ? 'ADD #n :by SET #ttl = :ttl' : 'ADD #n :by',
    ExpressionAttributeNames: { '#n': 'n', ...(ttl ? { '#ttl': 'ttl' } : {}) },
    ExpressionAttributeValues: { ':by': by, ...(ttl ? { ':ttl': ttl } : {}) },
  },
});

/** Moves an account from the day it was last active on, if it counts on one, to the day of `now`. */
export function countActivity(username: string, now: number, before?: number): TransactWrite[] {
  const arrival = countIn(`DAY#${dateOf(now)}`, username, 1, Math.floor((now + KEPT_DAYS * DAY_MS) / 1000));
  const stillCounted = before !== undefined && now - before < KEPT_DAYS * DAY_MS;
  return stillCounted ? [arrival, countIn(`DAY#${dateOf(before)}`, username, -1)] : [arrival];
}

/** What the counters say: 8 small items a counter and day, read in one query however large the directory. */
export async function readCounters(table: Table, now: number) {
  const items = await query(table, allCounters);
  const sum = (...counters: CounterName[]) =>
    items
      .filter(({ SK }) => counters.includes(SK.slice(0, SK.lastIndexOf('#')) as CounterName))
      .reduce((total, { n }) => total + n, 0);
  const days = Array.from({ length: WEEK }, (_, ago) => `DAY#${dateOf(now - ago * DAY_MS)}` as const);
  return {
    count: sum('COUNT'),
    locked: sum('LOCKED'),
    last_week: sum(...days),
    today: sum(days[0] as CounterName),
  };
}
