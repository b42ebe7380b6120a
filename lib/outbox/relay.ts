import { setTimeout as sleep } from 'node:timers/promises';
import { JOB_TIMEOUT_SECONDS } from '../contract/contract.ts';
import { log } from '../log/log.ts';
import type { Runtime } from '../runtime.ts';
import { relayOutbox } from './jobs.ts';
import { findDue, MAX_DUE, publishPending } from './outbox.ts';
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
  /** How many of those that were due the bus did not accept. */
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
 * at it still. Events that the bus does not accept wait longer each time, and never hold up others; the ten oldest are
 * tried in every sweep all the same, and once the bus accepts one of them, none waits any more.
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

  const all = [...due, ...found.waiting].sort((one, other) => (one.id < other.id ? -1 : 1));
  const sweeping = { due: new Set(due), until: started + LAST_BATCH_MS };
  const probe = await publishInTime(runtime, all.slice(0, MAX_ENTRIES), sweeping);
  const others = all.slice(MAX_ENTRIES);
  const isBack = probe.published > 0;
  const page = isBack
    ? others.slice(0, MAX_DUE - MAX_ENTRIES)
    : others.filter((one) => sweeping.due.has(one));
  const rest = await publishInTime(runtime, page, sweeping);

  const failed = [...probe.failed, ...rest.failed];
  const unseen = others.filter((event) => !page.includes(event));
  const setAside = failed.filter(({ setAsideAt }) => setAsideAt !== undefined).length;
  const pending = [...probe.left, ...rest.left, ...failed, ...unseen].filter(
    ({ setAsideAt }) => setAsideAt === undefined,
  );
  const oldest = Math.min(now(), ...pending.map(({ createdAt }) => createdAt));
  const sweep: Sweep = {
    published: probe.published + rest.published,
    failed: failed.length,
    pending: pending.length,
    oldestPendingSeconds: Math.floor((now() - oldest) / 1000),
    setAside: found.setAside.length + setAside,
  };
  log('info', { function: relayOutbox.id, message: 'The outbox was swept', ...sweep });
  return sweep;
}

interface Sweeping {
  /** An attempt before its time is none: its failure is not noted. */
  readonly due: ReadonlySet<TriedEvent>;
  /** No batch begins after; in milliseconds since the epoch. */
  readonly until: number;
}

/** Publishes batch by batch while there is time, and notes each failure before the next batch. */
async function publishInTime(
  { table, now, publish }: Relay,
  events: readonly TriedEvent[],
  { due, until }: Sweeping,
) {
  const failed: TriedEvent[] = [];
  const left: TriedEvent[] = [];
  let begun = 0;
  for (; begun < events.length && now() <= until; begun += MAX_ENTRIES) {
    const reasons = new Map<string, string>();
    const batch = events.slice(begun, begun + MAX_ENTRIES);
    const refused = await publishPending(table, publish, batch, ({ id }, reason) => reasons.set(id, reason));
    left.push(...refused.filter((event) => !due.has(event)));
    failed.push(
      ...(await Promise.all(
        refused
          .filter((event) => due.has(event))
          .map((event) => noteFailure(table, event, reasons.get(event.id) ?? 'unknown', now())),
      )),
    );
  }
  left.push(...events.slice(begun));
  return { published: events.length - left.length - failed.length, failed, left };
}
