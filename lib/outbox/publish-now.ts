import { JOB_TIMEOUT_SECONDS } from '../contract/contract.ts';
import { outboxKey } from '../table/keys.ts';
import { getAll } from '../table/read.ts';
import type { Announcing } from './announcement.ts';
import { pendingEvents, publishPending, toEvent } from './outbox.ts';
import { MAX_ENTRIES } from './publisher.ts';

/** What an operator command asks of the relay; operators may not publish themselves. */
export interface PublishRequest {
  /** IDs of events that a command has just committed, at most as many as a transaction has writes; or all. */
  readonly publish: 'all' | readonly string[];
}

export interface PublishResult {
  readonly published: number;
  readonly refused: number;
  /** Events that it did not reach in time. */
  readonly left: number;
  /** Why the bus refused events, each reason once. */
  readonly reasons: readonly string[];
}

/** Latest start of a batch, as in a sweep. */
const LAST_BATCH_MS = JOB_TIMEOUT_SECONDS * 1000 - 20_000;

/** Whether the relay was invoked by an operator command, rather than by its schedule. */
export const isPublishRequest = (event: object): event is PublishRequest => 'publish' in event;

/** Publishes events of the outbox at once, also dead-lettered ones. It publishes only what the outbox has. */
export async function publishNow(
  { table, publish, now }: Announcing,
  { publish: ids }: PublishRequest,
): Promise<PublishResult> {
  const until = now() + LAST_BATCH_MS;
  const events =
    ids === 'all'
      ? await pendingEvents(table)
      : (await getAll(table, ids.map(outboxKey))).flatMap((item) => (item ? toEvent(item) : []));
  const reasons = new Set<string>();
  let [begun, refused] = [0, 0];
  for (; begun < events.length && now() <= until; begun += MAX_ENTRIES) {
    const batch = events.slice(begun, begun + MAX_ENTRIES);
    refused += (await publishPending(table, publish, batch, (_, reason) => reasons.add(reason))).length;
  }
  const left = Math.max(0, events.length - begun);
  return { published: events.length - left - refused, refused, left, reasons: [...reasons] };
}
