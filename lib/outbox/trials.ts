import type { OutboxEvent, Trials } from '../item/outbox-event.ts';
import { assign } from '../table/expressions.ts';
import { outboxKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { update } from '../table/write.ts';
import { DAY_MS } from '../time.ts';

/** An event of the outbox, and what became of it so far. */
export type TriedEvent = OutboxEvent & Trials;

/** An event that could not be published for so long is set aside: only an operator can tell why. */
export const SET_ASIDE_AFTER_MS = DAY_MS;

/** A little less than the minute between two sweeps: the next one tries again. */
const FIRST_WAIT_MS = 50_000;

/** Where ten older ones fail for reasons of their own, what has waited for the bus is published so long after it is back. */
const MAX_WAIT_MS = 15 * 60_000;

/** How long an event waits after so many failed attempts, in milliseconds. */
export const backOff = (attempts: number) => Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), MAX_WAIT_MS);

/** Whether a sweep may try it now. */
export const isDue = ({ nextAttemptAt = 0 }: Trials, time: number) => nextAttemptAt <= time;

/**
 * Notes that a sweep could not publish an event: the next attempt is made later, or never where the event is as old
 * as {@link SET_ASIDE_AFTER_MS}. What has left the outbox meanwhile stays gone.
 *
 * @returns the event as it stands now
 */
export async function noteFailure(
  table: Table,
  event: TriedEvent,
  lastError: string,
  time: number,
): Promise<TriedEvent> {
  const attempts = (event.attempts ?? 0) + 1;
  const next =
    time - event.createdAt >= SET_ASIDE_AFTER_MS
      ? { setAsideAt: time, nextAttemptAt: undefined }
      : { nextAttemptAt: time + backOff(attempts) };
  const noted = { attempts, lastError, ...next };
  await update(table, { Key: outboxKey(event.id), ...assign(noted, { id: event.id }) });
  return { ...event, ...noted };
}
