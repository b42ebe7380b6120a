import * as z from 'zod/mini';
import { allSlices } from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { SchemaTexts } from '../texts.ts';
import { DAY_MS, isoOf } from '../time.ts';
import { readCounters } from './counters.ts';
import { LOCKOUT_STEP_MS, totalsOf, WEEK } from './slices.ts';

/**
 * Statistics of the whole directory, of persons and machines together: a list of one kind shows no totals. To tell the kinds
 * apart, the transaction that turns a person into a machine would also have to move the account, its lock and its last day
 * from one counter to another: two items more.
 */
export const statisticsSchema = () =>
  z.strictObject({
    /** Number of all accounts, of persons and of machines. */
    count: z.int(),
    /** Accounts locked now, with or without an end. */
    locked: z.int(),
    /** Accounts last active today or on the six days before, by UTC. */
    last_week: z.int(),
    today: z.int(),
    /** ISO 8601, UTC. All earlier changes are counted; later ones may be. */
    as_of: z.string(),
  });

export const statisticsTexts = {
  fields: {
    count: 'Number of accounts, of persons and of machines',
    locked: 'Number of accounts that are locked at the moment',
    last_week: 'Number of accounts active today or on one of the six days before (UTC)',
    today: 'Number of accounts active today (UTC)',
    as_of:
      'Time up to which all changes are counted (UTC, ends in `Z`), at most a minute ago; later changes may be counted, too',
  },
} as const satisfies SchemaTexts;

type Statistics = z.output<ReturnType<typeof statisticsSchema>>;

/** Age below which an eventually consistent read may lack writes. */
const REPLICATION_MS = 1000;

/** Oldest statistics that pages after the first repeat, so that none is a minute old. */
const REPEATED_MS = 45_000;

/** Statistics that this execution environment read last. */
const last = new WeakMap<Table['client'], { readonly at: number; readonly statistics: Statistics }>();

/** Statistics for a page after the first: the last ones of this execution environment, if they are recent. */
export async function recentStatistics(table: Table, now: number): Promise<Statistics> {
  const known = last.get(table.client);
  return known && now >= known.at && now - known.at < REPEATED_MS
    ? known.statistics
    : readStatistics(table, now);
}

/** Reads the statistics in one round trip, at the same cost for a directory of any size. */
export async function readStatistics(table: Table, now: number): Promise<Statistics> {
  const [counters, found] = await Promise.all([readCounters(table), getAll(table, allSlices, false)]);
  const slices = totalsOf(found.filter((slice) => slice !== undefined));
  const active = Array.from({ length: WEEK }, (_, ago) => slices.activeOn(now - ago * DAY_MS));
  const settled = now - REPLICATION_MS;
  const asOf = settled - (settled % LOCKOUT_STEP_MS);
  const statistics = {
    count: counters.count,
    locked: counters.locked + Math.max(0, slices.lockedAt(now)),
    last_week: active.reduce((total, n) => total + n, 0),
    today: active[0] as number,
    as_of: isoOf(asOf),
  };
  last.set(table.client, { at: now, statistics });
  return statistics;
}
