import type { OutboxEvent, Trials } from '../item/outbox-event.ts';
import { assign } from '../table/expressions.ts';
import { outboxKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { update } from '../table/write.ts';
import { HOUR_MS, MINUTE_MS } from '../time.ts';
import { SET_ASIDE_AFTER_HOURS } from './set-aside.ts';

export type TriedEvent = OutboxEvent & Trials;

export const SET_ASIDE_AFTER_MS = SET_ASIDE_AFTER_HOURS * HOUR_MS;

/** Wait after the first failure, less than the minute between two sweeps, so that the next one retries. */
const FIRST_WAIT_MS = 50_000;

/** Longest wait: the delay after an outage of the bus if the ten oldest events fail for other reasons. */
const MAX_WAIT_MS = 15 * MINUTE_MS;

/** Wait of an event after failed attempts, in milliseconds. */
export const backOff = (attempts: number) => Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), MAX_WAIT_MS);

/** Whether a sweep may attempt an event now. */
export const isDue = ({ nextAttemptAt = 0 }: Trials, time: number) => nextAttemptAt <= time;

/**
 * Records a failed attempt. The next attempt waits longer; at the age of {@link SET_ASIDE_AFTER_HOURS} the event is
 * dead-lettered. An event that was removed meanwhile is not stored again, and an attempt that
 * another sweep has recorded stays.
 *
 * @returns the event as it is stored now
 */
export async function noteFailure(table: Table, event: TriedEvent, lastError: string, time: number) {
  const attempts = (event.attempts ?? 0) + 1;
  const next =
    time - event.createdAt >= SET_ASIDE_AFTER_MS
      ? { setAsideAt: time, nextAttemptAt: undefined }
      : { nextAttemptAt: time + backOff(attempts) };
  const noted = { attempts, lastError, ...next };
  const { id, createdAt, attempts: before } = event;
  await update(table, { Key: outboxKey(id), ...assign(noted, { createdAt, attempts: before }) });
  return { ...event, ...noted };
}
