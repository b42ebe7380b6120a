import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.ts';
import type { Attempt, LoginAttempts } from '../item/login-attempts.ts';
import type { Runtime } from '../runtime.ts';
import { expecting } from '../table/expressions.ts';
import type { Key } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { get } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { ConditionFailed, put } from '../table/write.ts';
import { admit, countable, FROM_ANYWHERE, hasFailed } from './attempts.ts';

/** Which attempts an attempt counts among. */
export interface AttemptList {
  readonly key: Key<LoginAttempts>;
  /** As read last. */
  readonly item: LoginAttempts | undefined;
  /** Attempts at or before this time count no more. */
  readonly clearedAt: number;
}

/** An attempt that has its place among those that may fail. */
export interface Reservation {
  /** Keeps the place, as a failure; resolves to all attempts that count. */
  fail(): Promise<readonly Attempt[]>;
  /** Gives up the place, and the failures from the same address with it. */
  succeed(): Promise<void>;
}

/** An attempt waits this long for others to end. */
const WAIT_MS = 8000;
const POLL_MS = 50;

/**
 * Reserves a place for an attempt before its password is verified.
 *
 * @param address source address of the request
 * @throws Failure `too_many_requests`; such an attempt does not count
 */
export async function reserveAttempt(
  runtime: Runtime,
  list: AttemptList,
  address: string,
): Promise<Reservation> {
  const { table, now, random } = runtime;
  const { key, clearedAt } = list;
  const id = Buffer.from(random(6)).toString('base64url');
  const deadline = now() + WAIT_MS;
  for (let known = list.item; ; ) {
    const time = now();
    const attempts = countable(known?.attempts ?? [], time, clearedAt);
    const admission = admit(attempts, address, time);
    if (typeof admission === 'object') throw new Failure('too_many_requests', admission);
    if (time > deadline) throw new Failure('too_many_requests', { retryAfter: 1 });
    if (admission === 'wait') {
      await sleep(POLL_MS + Math.random() * POLL_MS);
      known = await get(table, key);
      continue;
    }
    const mine: Attempt = { id, at: time, from: address, pending: true };
    const written = await replace(table, key, known, [...attempts, mine], time);
    known = written instanceof ConditionFailed ? written.item : written;
    // A write whose answer was lost is sent again, and fails on what it has done itself.
    if (known?.attempts.some((attempt) => attempt.id === id))
      return reservation(runtime, { ...list, item: known }, mine);
  }
}

/** Replaces the attempts, unless somebody else has done so since they were read. */
async function replace(
  table: Table,
  key: Key<LoginAttempts>,
  known: LoginAttempts | undefined,
  attempts: readonly Attempt[],
  now: number,
): Promise<LoginAttempts | ConditionFailed<LoginAttempts>> {
  const ttl = Math.ceil((now + FROM_ANYWHERE.windowMs) / 1000);
  const item = { attempts, revision: (known?.revision ?? 0) + 1, ttl };
  return (await put(table, key, item, expecting({ revision: known?.revision }))) ?? item;
}

function reservation(
  { table, now }: Runtime,
  { key, item, clearedAt }: AttemptList,
  mine: Attempt,
): Reservation {
  const settle = (change: (attempts: readonly Attempt[]) => readonly Attempt[]) =>
    optimistically<LoginAttempts | undefined, readonly Attempt[]>(
      item,
      async (known) => {
        const attempts = change(countable(known?.attempts ?? [], now(), clearedAt));
        const written = await replace(table, key, known, attempts, now());
        return written instanceof ConditionFailed ? written : attempts;
      },
      FROM_ANYWHERE.max,
    );

  return {
    fail() {
      const { pending: _, ...failed } = mine;
      return settle((attempts) => attempts.map((attempt) => (attempt.id === mine.id ? failed : attempt)));
    },
    async succeed() {
      await settle((attempts) =>
        attempts.filter(
          (attempt) => attempt.id !== mine.id && (attempt.from !== mine.from || !hasFailed(now())(attempt)),
        ),
      );
    },
  };
}
