import { allSlices } from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { DAY_MS, dateOf } from '../time.ts';
import { readCounters } from './counters.ts';
import { LOCKOUT_STEP_MS, totalsOf, WEEK } from './slices.ts';

/** Of the whole directory. */
export interface Statistics {
  /** All accounts. */
  readonly count: number;
  /** Those locked now, for good or for a time. */
  readonly locked: number;
  /** Those last active today or on one of the six days before, by UTC. */
  readonly last_week: number;
  readonly today: number;
  /** ISO 8601, UTC: all that has happened before is counted, and what has happened since may be. */
  readonly as_of: string;
}

/** A read that is not strongly consistent may lack what was written so lately. */
const REPLICATION_MS = 1000;

/** Pages after the first repeat statistics of at most this age, so that all of them are less than a minute old. */
const REPEATED_MS = 45_000;

/** What an execution environment has read last. */
const last = new WeakMap<Table['client'], { readonly at: number; readonly statistics: Statistics }>();

/** The statistics for a page after the first: as this execution environment has read them lately, if it has. */
export async function recentStatistics(table: Table, now: number): Promise<Statistics> {
  const known = last.get(table.client);
  return known && now >= known.at && now - known.at < REPEATED_MS
    ? known.statistics
    : readStatistics(table, now);
}

/** Reads the statistics at the same cost however large the directory, in one round trip. */
export async function readStatistics(table: Table, now: number): Promise<Statistics> {
  const [counters, found] = await Promise.all([readCounters(table), getAll(table, allSlices, false)]);
  const slices = totalsOf(found.filter((slice) => slice !== undefined));
  const days = Array.from({ length: WEEK }, (_, ago) => now - ago * DAY_MS);
  const active = days.map((time) => slices.activeOn(time) + counters.activeOn(dateOf(time)));
  const settled = now - REPLICATION_MS;
  const asOf = settled - (settled % LOCKOUT_STEP_MS);
  const statistics = {
    count: counters.count,
    locked: counters.locked + Math.max(0, slices.lockedAt(now)),
    last_week: active.reduce((total, n) => total + n, 0),
    today: active[0] as number,
    as_of: new Date(asOf).toISOString(),
  };
  last.set(table.client, { at: now, statistics });
  return statistics;
}
