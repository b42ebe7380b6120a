import type { DayCounter, LockoutCounter, Slice } from '../item/instance.ts';
import { sliceKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { TransactWrite } from '../table/write.ts';
import { DAY_MS, dateOf } from '../time.ts';

/** Days that the statistics look back on, today included. */
export const WEEK = 7;

/** Counters of a day are kept two days longer than they are read, for clocks that differ. */
const KEPT_DAYS = WEEK + 2;

/** A move of an activity removes the counters of so many days before those that are kept. */
const REMOVED_DAYS = 14;

/** Ends of lockouts are counted in steps of so long: 90 counters for a lockout of 15 minutes. */
export const LOCKOUT_STEP_MS = 10_000;

/** An expression has room for 4 kB: what a lockout leaves of the past the next one removes. */
const MAX_REMOVED = 200;

const activeOn = (time: number): DayCounter => `active:${dateOf(time)}`;
const UNTIL = 'until:';
const endingIn = (step: number): LockoutCounter => `${UNTIL}${step}`;
const stepOf = (time: number) => Math.floor(time / LOCKOUT_STEP_MS);

/**
 * Moves an account from the day that it was last active on, if it counts on one, to the day of `now`: one write of one
 * item. A slice that nobody moves in for {@link REMOVED_DAYS} keeps what it has, 20 bytes a day.
 */
export function moveActivity(username: string, now: number, before?: number): TransactWrite {
  const stillCounted = before !== undefined && now - before < KEPT_DAYS * DAY_MS;
  const stale = Array.from({ length: REMOVED_DAYS }, (_, n) => activeOn(now - (KEPT_DAYS + 1 + n) * DAY_MS));
  return change(
    username,
    [[activeOn(now), 1], ...(stillCounted ? [[activeOn(before), -1] as const] : [])],
    stale,
  );
}

/** Counts an account whose lockout begins, until it ends; what has ended of its slice is removed. */
export async function countLockout(
  table: Table,
  username: string,
  end: number,
  now: number,
): Promise<TransactWrite> {
  const slice = (await get(table, sliceKey(username))) ?? ({} as Slice);
  const stale = lockoutsOf(slice)
    .filter(([step]) => step < stepOf(now))
    .map(([step]) => endingIn(step));
  return change(username, [[endingIn(stepOf(end)), 1]], stale.slice(0, MAX_REMOVED));
}

/** Counts an account no more whose lockout is still counted, which it is until the step that it ends in is over. */
export const uncountLockout = (username: string, end: number, now: number): readonly TransactWrite[] =>
  stepOf(end) >= stepOf(now) ? [change(username, [[endingIn(stepOf(end)), -1]], [])] : [];

function change(
  username: string,
  moves: readonly (readonly [DayCounter | LockoutCounter, number])[],
  stale: readonly string[],
): TransactWrite {
  const names = [...moves.map(([name]) => name), ...stale];
  return {
    Update: {
      Key: sliceKey(username),
      UpdateExpression: [
        `ADD ${moves.map((_, n) => `#${n} :${n}`).join(', ')}`,
        ...(stale.length > 0 ? [`REMOVE ${stale.map((_, n) => `#${moves.length + n}`).join(', ')}`] : []),
      ].join(' '),
      ExpressionAttributeNames: Object.fromEntries(names.map((name, n) => [`#${n}`, name])),
      ExpressionAttributeValues: Object.fromEntries(moves.map(([, by], n) => [`:${n}`, by])),
    },
  };
}

/** The counters of lockouts of a slice, by the step that these end in. */
const lockoutsOf = (slice: Slice) =>
  Object.entries(slice)
    .filter(([name]) => name.startsWith(UNTIL))
    .map(([name, n]) => [Number(name.slice(UNTIL.length)), n] as const);

/** What all slices say of a date, or of a time. */
export const totalsOf = (slices: readonly Slice[]) => ({
  activeOn: (time: number) => sum(slices.map((slice) => slice[activeOn(time)] ?? 0)),
  /** Accounts whose lockout ends in the step of this time or later. */
  lockedAt: (time: number) =>
    sum(slices.flatMap(lockoutsOf).map(([step, n]) => (step >= stepOf(time) ? n : 0))),
});

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
