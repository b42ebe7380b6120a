import type { OutboxEvent, PendingEvent } from '../item/outbox-event.ts';
import { outboxKey, wholeOutbox } from '../table/keys.ts';
import { pages, query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { remove } from '../table/write.ts';
import { MAX_ENTRIES, type Publish, type Refused } from './publisher.ts';
import { isDue, type TriedEvent } from './trials.ts';

/** The events that are yet to be published, those set aside included, oldest first. */
export async function pendingEvents(table: Table): Promise<TriedEvent[]> {
  return (await query(table, wholeOutbox)).map(toEvent);
}

/** Attributes that an item of an older version lacks are not there. */
const toEvent = (item: PendingEvent): TriedEvent => {
  const { PK: _, SK: __, ...event } = item as PendingEvent & { PK: string; SK: string };
  return { ...event, detail: JSON.parse(event.detail) as unknown };
};

/** What a sweep finds in the outbox. */
export interface Found {
  /** What it may publish, oldest first. */
  readonly due: readonly TriedEvent[];
  /** What waits for its next attempt. */
  readonly waiting: readonly TriedEvent[];
  /** What no sweep tries any more: the oldest of all, so it is seen however much is due. */
  readonly setAside: readonly TriedEvent[];
}

/** A page of work: what one sweep publishes at most, some 50 calls of the bus. */
export const MAX_DUE = 500;

/** Looks for a page of events that are due, oldest first, past all that wait, however many these are. */
export async function findDue(table: Table, time: number, max = MAX_DUE): Promise<Found> {
  const due: TriedEvent[] = [];
  const waiting: TriedEvent[] = [];
  const setAside: TriedEvent[] = [];
  for await (const page of pages(table, wholeOutbox)) {
    for (const event of page.map(toEvent))
      (event.setAsideAt !== undefined ? setAside : isDue(event, time) ? due : waiting).push(event);
    if (due.length >= max) break;
  }
  return { due: due.slice(0, max), waiting, setAside };
}

/**
 * Publishes events and removes from the outbox those that the bus has accepted. Should it stop in between,
 * an event is published again: delivery is at least once.
 *
 * @param refused is told why, of each event that the bus does not accept
 * @returns the events that the bus has not accepted
 */
export async function publishPending<Event extends OutboxEvent>(
  table: Table,
  publish: Publish,
  events: readonly Event[],
  refused?: Refused,
): Promise<Event[]> {
  const failed: Event[] = [];
  for (let start = 0; start < events.length; start += MAX_ENTRIES) {
    const batch = events.slice(start, start + MAX_ENTRIES);
    const accepted = await publish(batch, refused);
    await Promise.all(accepted.map(({ id }) => remove(table, outboxKey(id))));
    failed.push(...batch.filter((event) => !accepted.includes(event)));
  }
  return failed;
}
