import type { DayCounter, LockoutCounter, Slice } from '../item/instance.ts';
import { sliceKey } from '../table/keys.ts';
import { get } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { TransactWrite } from '../table/write.ts';
import { DAY_MS, dateOf } from '../time.ts';

/** Days of the statistics, including today. */
export const WEEK = 7;

/** Days for which counters are kept: two days longer than they are read, for clocks that differ. */
const KEPT_DAYS = WEEK + 2;

/** Days before {@link KEPT_DAYS} whose counters each move removes. */
const REMOVED_DAYS = 14;

/** Steps in which the ends of lockouts are counted: 90 counters for a lockout of 15 minutes. */
export const LOCKOUT_STEP_MS = 10_000;

/** Maximum of ended lockouts that one expression of 4 kB removes; the next lockout removes the others. */
const MAX_REMOVED = 200;

const activeOn = (time: number): DayCounter => `active:${dateOf(time)}`;
const UNTIL = 'until:';
const endingIn = (step: number): LockoutCounter => `${UNTIL}${step}`;
const stepOf = (time: number) => Math.floor(time / LOCKOUT_STEP_MS);

/**
 * Moves an account from its last active day, if it is counted there, to the day of `now`, in one write. A slice without
 * moves for {@link REMOVED_DAYS} keeps its old counters, 20 bytes a day.
 */
export function moveActivity(username: string, now: number, before?: number): TransactWrite {
  const stillCounted = before !== undefined && now - before < KEPT_DAYS * DAY_MS;
  const stale = Array.from({ length: REMOVED_DAYS }, (_, n) => activeOn(now - (KEPT_DAYS + 1 + n) * DAY_MS));
  const former = stillCounted ? [[activeOn(before), -1] as const] : [];
  return change(username, [[activeOn(now), 1], ...former], stale);
}

/**
 * Counts an account until its lock or lockout ends, and removes the ended ones of its slice.
 *
 * @param before end of a lock or lockout that this one replaces
 */
export async function countLockout(
  table: Table,
  username: string,
  end: number,
  now: number,
  before = Number.NaN,
): Promise<TransactWrite> {
  const slice = (await get(table, sliceKey(username))) ?? ({} as Slice);
  const stale = lockoutsOf(slice)
    .filter(([step]) => step < stepOf(now))
    .map(([step]) => endingIn(step));
  // A write names each counter once.
  const stays = stepOf(before) === stepOf(end);
  const moves = [[endingIn(stepOf(end)), stays ? 0 : 1], ...(stays ? [] : uncounted(before, now))] as const;
  return change(username, moves, stale.slice(0, MAX_REMOVED));
}

const uncounted = (end: number, now: number) =>
  stepOf(end) >= stepOf(now) ? [[endingIn(stepOf(end)), -1] as const] : [];

/** Uncounts an account whose lockout is still counted, that is, until the step of its end is over. */
export const uncountLockout = (username: string, end: number, now: number): readonly TransactWrite[] =>
  uncounted(end, now).map((move) => change(username, [move], []));

/** Uncounts an account that is erased, on the day of its last activity and until the end of its lockout; NaN without one. */
export function uncountErased(
  username: string,
  { lastActive, lockoutEnd }: { readonly lastActive: number; readonly lockoutEnd: number },
  now: number,
): readonly TransactWrite[] {
  const isCounted = now - lastActive < KEPT_DAYS * DAY_MS;
  const active = isCounted ? [[activeOn(lastActive), -1] as const] : [];
  const moves = [...active, ...uncounted(lockoutEnd, now)];
  return moves.length > 0 ? [change(username, moves, [])] : [];
}

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

/** The lockouts of a slice, by the step of their end. */
const lockoutsOf = (slice: Slice) =>
  Object.entries(slice)
    .filter(([name]) => name.startsWith(UNTIL))
    .map(([name, n]) => [Number(name.slice(UNTIL.length)), n] as const);

/** Sums of all slices for a date or a time. */
export const totalsOf = (slices: readonly Slice[]) => ({
  activeOn: (time: number) => sum(slices.map((slice) => slice[activeOn(time)] ?? 0)),
  /** Accounts whose lockout ends in the step of this time or later. */
  lockedAt: (time: number) =>
    sum(slices.flatMap(lockoutsOf).map(([step, n]) => (step >= stepOf(time) ? n : 0))),
});

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
