import { setTimeout as sleep } from 'node:timers/promises';
import { JOB_TIMEOUT_SECONDS } from '../contract/contract.ts';
import { log } from '../log.ts';
import type { Runtime } from '../runtime.ts';
import { relayOutbox } from './jobs.ts';
import { findDue, publishPending } from './outbox.ts';
import { MAX_ENTRIES, type Publish } from './publisher.ts';
import { noteFailure, type TriedEvent } from './trials.ts';

/** A younger event is likely being published by the request that made it: publishing it too would repeat it. */
const GRACE_MS = 5000;

/** A batch takes 10 s where the bus does not answer: the last one begins with twice that left. */
const LAST_BATCH_MS = JOB_TIMEOUT_SECONDS * 1000 - 20_000;

type Relay = Runtime & { readonly publish: Publish };

/** What one sweep did, and what it leaves: a line of the log, from which alarms are raised. */
export interface Sweep {
  readonly published: number;
  /** How many the bus did not accept. */
  readonly failed: number;
  /** How many wait, for this sweep to come to them included. */
  readonly pending: number;
  /** Age of the oldest of these; 0 where none is left. */
  readonly oldestPendingSeconds: number;
  /** How many no sweep tries any more. */
  readonly setAside: number;
}

/**
 * One sweep: publishes a page of what requests have left behind, oldest first, after waiting for those that may be
 * at it still. Events that the bus does not accept wait longer each time, and never hold up others.
 *
 * @throws Error where the table cannot be read or written, so that the function counts as failed
 */
export async function relayEvents(runtime: Relay): Promise<Sweep> {
  const { table, now } = runtime;
  const started = now();
  const seen = await findDue(table, started);
  const newest = Math.max(0, ...seen.due.map(({ createdAt }) => createdAt));
  const wait = newest + GRACE_MS - started;
  if (wait > 0) await sleep(wait);
  const found = wait > 0 ? await findDue(table, now()) : seen;
  const due = found.due.filter(({ createdAt }) => createdAt <= newest);

  const { published, failed, left } = await publishInTime(runtime, due, started + LAST_BATCH_MS);
  const setAside = failed.filter(({ setAsideAt }) => setAsideAt !== undefined).length;
  const pending = [...left, ...failed, ...found.waiting].filter(({ setAsideAt }) => setAsideAt === undefined);
  const oldest = Math.min(now(), ...pending.map(({ createdAt }) => createdAt));
  const sweep: Sweep = {
    published,
    failed: failed.length,
    pending: pending.length,
    oldestPendingSeconds: Math.floor((now() - oldest) / 1000),
    setAside: found.setAside.length + setAside,
  };
  log('info', { function: relayOutbox.id, message: 'The outbox was swept', ...sweep });
  return sweep;
}

/** Publishes batch by batch while there is time, and notes each failure before the next batch. */
async function publishInTime({ table, now, publish }: Relay, due: readonly TriedEvent[], until: number) {
  const failed: TriedEvent[] = [];
  let begun = 0;
  for (; begun < due.length && now() <= until; begun += MAX_ENTRIES) {
    const reasons = new Map<string, string>();
    const batch = due.slice(begun, begun + MAX_ENTRIES);
    const refused = await publishPending(table, publish, batch, ({ id }, reason) => reasons.set(id, reason));
    failed.push(
      ...(await Promise.all(
        refused.map((event) => noteFailure(table, event, reasons.get(event.id) ?? 'unknown', now())),
      )),
    );
  }
  const left = due.slice(begun);
  return { published: due.length - left.length - failed.length, failed, left };
}
