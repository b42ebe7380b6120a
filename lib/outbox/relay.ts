import { setTimeout as sleep } from 'node:timers/promises';
import { JOB_TIMEOUT_SECONDS } from '../contract/contract.ts';
import { log } from '../log/log.ts';
import type { Announcing } from './announcement.ts';
import { relayOutbox } from './jobs.ts';
import { findDue, MAX_DUE, publishPending } from './outbox.ts';
import { MAX_ENTRIES } from './publisher.ts';
import { noteFailure, type TriedEvent } from './trials.ts';

/** Younger events are left to their own requests, which are probably publishing them. */
const GRACE_MS = 5000;

/** Latest start of a batch: it takes 10 s if the bus does not answer, and 20 s must remain. */
const LAST_BATCH_MS = JOB_TIMEOUT_SECONDS * 1000 - 20_000;

/**
 * Publishes events that requests have left in the outbox, oldest first.
 *
 * It waits first for events that their requests may still publish. A refused event waits longer after each attempt and
 * blocks no other. Every sweep attempts the ten oldest events; if the bus accepts one of them, the sweep also publishes
 * all others that wait.
 *
 * @returns the result, which is logged and raises alarms. `failed` counts due events that the bus did not accept, `setAside`
 *   dead-lettered ones, `pending` those that wait, with at most {@link MAX_DUE} due ones that it did not reach.
 *   The age of the oldest pending event is 0 without one.
 * @throws Error if the table cannot be read or written, so that the invocation fails
 */
export async function relayEvents(runtime: Announcing) {
  const { table, now } = runtime;
  const started = now();
  const seen = await findDue(table, started);
  const newest = Math.max(0, ...seen.due.map(({ createdAt }) => createdAt));
  const age = started - newest;
  // The age is unknown if the event was dated by a clock minutes ahead, such as an operator's.
  const isYoung = Math.abs(age) < GRACE_MS;
  if (isYoung) await sleep(GRACE_MS - age);
  const found = isYoung ? await findDue(table, now()) : seen;
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
  const sweep = {
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
  /** Failures of events that are not due yet are not recorded. */
  readonly due: ReadonlySet<TriedEvent>;
  /** Latest start of a batch; in milliseconds since the epoch. */
  readonly until: number;
}

/** Publishes batch by batch until the time is up, and records the failures of a batch before the next one. */
async function publishInTime(
  { table, now, publish }: Announcing,
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
