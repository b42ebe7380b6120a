import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure/failure.ts';
import type { Attempt, LoginAttempts } from '../item/login-attempts.ts';
import type { Runtime } from '../runtime.ts';
import { expecting } from '../table/expressions.ts';
import type { Key } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { get } from '../table/read.ts';
import { ConditionFailed, put } from '../table/write.ts';
import {
  type Admission,
  type AttemptLimit,
  admit,
  countable,
  hasFailed,
  isLockedOut,
  isRefused,
  refusalOfBlock,
  tooSoon,
} from './attempts.ts';

/** The attempts that one limit counts. */
export interface AttemptList {
  readonly key: Key<LoginAttempts>;
  readonly limit: AttemptLimit;
  /** The item at its last read. */
  readonly item: LoginAttempts | undefined;
  /** Attempts at or before this time do not count. */
  readonly clearedAt: number;
  /** Security stamp of the account, in lists of a name and an address. */
  readonly stamp?: string | undefined;
}

/** A place for one attempt among those that may fail. */
export interface Reservation {
  /** Whether the attempt had to wait: items read before may have changed. */
  readonly waited: boolean;
  /** Keeps the place as a failure; resolves to true if that locks the username. */
  fail(): Promise<boolean>;
  /**
   * Releases the place and clears failures from the same address; remembered if the limit has `knownMs`.
   *
   * @param stamp the security stamp of the account, by default as read
   */
  succeed(stamp?: string): Promise<void>;
  /** Releases the place as if there had been no attempt. */
  release(): Promise<void>;
}

const POLL_MS = 50;

type Content = Omit<LoginAttempts, 'attempts' | 'revision' | 'ttl'> &
  Required<Pick<LoginAttempts, 'attempts'>>;

/** Replaces the item unless attempts or a block have changed since it was read. */
async function replace(
  { table, now }: Runtime,
  { key, limit }: AttemptList,
  known: LoginAttempts | undefined,
  content: Content,
): Promise<LoginAttempts | ConditionFailed<LoginAttempts>> {
  const { windowMs, lockoutMs = 0, knownMs = 0 } = limit;
  const { locked_at = 0, known_at = 0, blocked_until = 0 } = content;
  const until = Math.max(now() + windowMs, locked_at + lockoutMs, known_at + knownMs, blocked_until);
  const item = { ...content, revision: (known?.revision ?? 0) + 1, ttl: Math.ceil(until / 1000) };
  // A block may not write attempts, so it changes no revision.
  const expected = { revision: known?.revision, blocked_until: known?.blocked_until };
  return (await put(table, key, item, expecting(expected))) ?? item;
}

/** The marks of an item, which are kept longer than its attempts. */
const marksOf = (item: LoginAttempts | undefined) => ({
  ...(item?.locked_at === undefined ? {} : { locked_at: item.locked_at }),
  ...(item?.known_at === undefined ? {} : { known_at: item.known_at, known_stamp: item.known_stamp }),
  ...(item?.blocked_until === undefined ? {} : { blocked_until: item.blocked_until }),
});

/** Decision on a further attempt, by the item at its last read. */
export const admission = ({ item, limit, clearedAt }: AttemptList, now: number): Admission =>
  refusalOfBlock(item, now) ?? admit(countable(item?.attempts ?? [], limit, now, clearedAt), limit, now);

/**
 * Reserves a place for an attempt before its password is verified.
 *
 * @param from source of the request, as {@link Attempt} has it
 * @param deadline end of its wait for others, in milliseconds since the epoch
 * @returns undefined while the username is locked out: then no attempt counts for it
 * @throws Failure `too_many_requests`; a refused attempt does not count
 */
export const reserve = (runtime: Runtime, list: AttemptList, from: string, deadline: number) =>
  reserveIn(runtime, list, from, deadline, true) as Promise<Reservation | undefined>;

/** The same by one write, without a wait: if another attempt was faster, the failed condition has the list after it. */
export const reserveAtOnce = (runtime: Runtime, list: AttemptList, from: string) =>
  reserveIn(runtime, list, from, Number.POSITIVE_INFINITY, false);

async function reserveIn(
  runtime: Runtime,
  list: AttemptList,
  from: string,
  deadline: number,
  isPatient: boolean,
): Promise<Reservation | ConditionFailed<LoginAttempts> | undefined> {
  const { table, now, random } = runtime;
  const { key, limit, clearedAt } = list;
  const id = Buffer.from(random(6)).toString('base64url');
  let waited = false;
  for (let known = list.item; ; ) {
    const time = now();
    if (isLockedOut(known, limit, time, clearedAt)) return undefined;
    const admitted = admission({ ...list, item: known }, time);
    if (isRefused(admitted) && !limit.lockoutMs) throw tooSoon(limit, admitted);
    if (time > deadline) throw new Failure('too_many_requests', { retryAfter: 1 });
    if (admitted === 'wait') {
      if (!isPatient) return new ConditionFailed(known);
      waited = true;
      await sleep(POLL_MS + Math.random() * POLL_MS);
      known = await get(table, key);
      continue;
    }
    const mine: Attempt = { id, at: time, from, pending: true };
    const content =
      admitted === 'admitted'
        ? { ...marksOf(known), attempts: [...countable(known?.attempts ?? [], limit, time, clearedAt), mine] }
        : { attempts: [], locked_at: time };
    const written = await replace(runtime, list, known, content);
    known = written instanceof ConditionFailed ? written.item : written;
    // A write whose answer was lost is repeated and fails on its own effect.
    if (known?.attempts?.some((attempt) => attempt.id === id))
      return { waited, ...outcomes(runtime, { ...list, item: known }, mine) };
    if (!isPatient) return new ConditionFailed(known);
  }
}

/**
 * Changes the attempts that count, as they are now. Each of the others may be faster twice, at its reservation and at its
 * outcome. With fewer repeats an outcome may be lost: its place then stays pending until it times out.
 */
const settle = (
  runtime: Runtime,
  list: AttemptList,
  change: (attempts: readonly Attempt[], now: number) => Partial<Content> & Pick<Content, 'attempts'>,
) =>
  optimistically<LoginAttempts | undefined, LoginAttempts>(
    list.item,
    (known) => {
      const now = runtime.now();
      const attempts = countable(known?.attempts ?? [], list.limit, now, list.clearedAt);
      return replace(runtime, list, known, { ...marksOf(known), ...change(attempts, now) });
    },
    2 * list.limit.max - 1,
  );

/** Clears failures from a source, and remembers the success if the limit has `knownMs`. */
export async function recordSuccess(
  runtime: Runtime,
  list: AttemptList,
  { id, from }: Pick<Attempt, 'from'> & Partial<Attempt>,
  stamp = list.stamp,
): Promise<void> {
  await settle(runtime, list, (attempts, now) => ({
    ...(list.limit.knownMs ? { known_at: now, known_stamp: stamp } : {}),
    attempts: attempts.filter(
      (attempt) => attempt.id !== id && (attempt.from !== from || !hasFailed(now)(attempt)),
    ),
  }));
}

function outcomes(runtime: Runtime, list: AttemptList, mine: Attempt): Omit<Reservation, 'waited'> {
  const { limit } = list;
  const { pending: _, ...failed } = mine;
  const isMine = ({ id }: Attempt) => id === mine.id;

  return {
    async fail() {
      let locked_at: number | undefined;
      const after = await settle(runtime, list, (all, now) => {
        const attempts = all.map((attempt) => (isMine(attempt) ? failed : attempt));
        if (limit.lockoutMs === undefined || !isRefused(admit(attempts, limit, now))) return { attempts };
        locked_at = now;
        return { attempts: [], locked_at };
      });
      // By what is stored: a lockout whose answer was lost is found at the repeat.
      return locked_at !== undefined && after.locked_at === locked_at;
    },
    succeed: (stamp) => recordSuccess(runtime, list, mine, stamp),
    async release() {
      await settle(runtime, list, (attempts) => ({
        attempts: attempts.filter((attempt) => !isMine(attempt)),
      }));
    },
  };
}
