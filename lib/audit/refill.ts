import { JOB_PAGES_MS } from '../contract/contract.ts';
import { type Collecting, ownLines, textsOf } from './collect.ts';
import { isHeartbeat } from './heartbeat.ts';
import type { LineOfStream, LogReader, Period } from './log-reader.ts';
import { storeEntries } from './store.ts';
import { FUNCTIONS, OPERATORS, VERIFIED } from './streams.ts';

/** Age of the oldest line that CloudWatch Logs accepts, in days. */
export const MAX_LINE_AGE_DAYS = 14;

/** Numbers of lines. */
export interface RefillCounts {
  /** Lines that were read. */
  readonly read: number;
  /** Lines that the audit log lacked. */
  readonly added: number;
  /** Lines that are no entries of their function, or that the table does not take. */
  readonly refused: number;
}

/** Where lines come from: the log of functions, or the streams of operators in the audit log. */
export const SOURCES = ['functions', 'operators'] as const;

/** A request of a command. It has no lines: whoever may send it cannot forge any. */
export interface RefillRequest extends Period {
  readonly source: (typeof SOURCES)[number];
  /** Of the answer before. */
  readonly next?: string | undefined;
}

export interface RefillAnswer extends RefillCounts {
  /** There are more lines. */
  readonly next?: string | undefined;
}

type Refilling = Collecting & { readonly functionLog: LogReader; readonly auditLines: LogReader };

/**
 * Adds the audit lines of a period that the audit log lacks to it, and all of them to the table, which has each once. A line is
 * checked as `audit.collect` checks it. Lines of operators are in the audit log already.
 */
export async function refill(
  runtime: Refilling,
  { source, next: from, ...period }: RefillRequest,
): Promise<RefillAnswer> {
  const until = runtime.now() + JOB_PAGES_MS;
  const counts = { read: 0, added: 0, refused: 0 };
  let next = from;
  do {
    const page = await (source === 'functions'
      ? runtime.functionLog.page(period, undefined, next)
      : runtime.auditLines.page(period, OPERATORS, next));
    const { added, refused } =
      source === 'functions' ? await addLines(runtime, page.lines) : await storeLines(runtime, page.lines);
    counts.read += page.lines.length;
    counts.added += added;
    counts.refused += refused;
    next = page.next;
  } while (next !== undefined && runtime.now() < until);
  return { ...counts, next };
}

/** Adds lines of functions to the audit log and the table. */
async function addLines(runtime: Refilling, all: readonly LineOfStream[]) {
  const lines = all.filter(({ message }) => !isHeartbeat(message));
  const known = await knownAmong(runtime.auditLines, lines);
  const counts = { added: 0, refused: 0 };
  for (const [stream, ofStream] of Map.groupBy(lines, (line) => line.stream)) {
    const missing = ofStream.filter(({ message }) => !known.has(message));
    const own = ownLines(runtime, stream, missing);
    await runtime.auditLog.append(own);
    // Those that the audit log has may be missing in the table.
    const checked = ofStream.filter((line) => known.has(line.message) || own.includes(line));
    counts.added += own.length;
    counts.refused += missing.length - own.length;
    counts.refused += await storeEntries(runtime, VERIFIED, textsOf(checked), stream);
  }
  return counts;
}

/** Stores lines of operators in the table. */
async function storeLines(runtime: Refilling, lines: readonly LineOfStream[]) {
  let refused = 0;
  for (const [stream, ofStream] of Map.groupBy(lines, (line) => line.stream))
    refused += await storeEntries(runtime, stream, textsOf(ofStream));
  return { added: 0, refused };
}

/** The texts of lines of functions that the audit log has at the times of these. */
async function knownAmong(auditLines: LogReader, lines: readonly LineOfStream[]): Promise<Set<string>> {
  const known = new Set<string>();
  const times = lines.map(({ timestamp }) => timestamp);
  if (times.length === 0) return known;
  const period = times.reduce(
    ({ since, until }, time) => ({ since: Math.min(since, time), until: Math.max(until, time) }),
    { since: Number.POSITIVE_INFINITY, until: 0 },
  );
  let next: string | undefined;
  do {
    const page = await auditLines.page(period, FUNCTIONS, next);
    for (const { message } of page.lines) known.add(message);
    next = page.next;
  } while (next !== undefined);
  return known;
}
