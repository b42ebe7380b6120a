import * as z from 'zod/mini';
import { EVENT_TYPES } from '../instance/settings.ts';
import type { OutboxEvent, PendingEvent, Trials } from '../item/outbox-event.ts';
import type { Runtime } from '../runtime.ts';
import { type Key, outboxKey, wholeOutbox } from '../table/keys.ts';
import { type RangeRequest, rangePage } from '../table/listing.ts';
import { pages, query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { remove } from '../table/write.ts';
import type { SchemaTexts } from '../texts.ts';
import { MAX_ENTRIES, type Publish, type Refused } from './publisher.ts';
import { isDue, type TriedEvent } from './trials.ts';

/** All events that are not published yet, including dead-lettered ones, oldest first. */
export async function pendingEvents(table: Table): Promise<TriedEvent[]> {
  return (await query(table, wholeOutbox)).map(toEvent);
}

/** A pending event in a listing, without its detail. */
export const pendingEventSchema = () =>
  z.strictObject({
    id: z.uuid(),
    type: z.string(),
    username: z.nullable(z.string()),
    created_at: z.string(),
    age_seconds: z.int(),
    state: z.enum(['pending', 'set-aside']),
  });

export const pendingEventTexts = {
  name: 'PendingEvent',
  schema: pendingEventSchema,
  fields: {
    id: 'Event ID; the same in every delivery of the event',
    type: 'Type of the event',
    username: 'Account that the event is about',
    created_at: 'Time of creation (UTC, ends in `Z`)',
    age_seconds: 'Age of the event in seconds',
    state:
      '`pending`, or `set-aside` after <!-- set-aside-hours --> hours of failed attempts: only an operator command publishes it then',
  },
} as const satisfies SchemaTexts;

/** The state of an event in the outbox; no sweep retries a dead-lettered one. */
export const stateOf = ({ setAsideAt }: Trials) => (setAsideAt === undefined ? 'pending' : 'set-aside');

/** One page of the outbox, oldest first, without the details of the events; `username` is the account of the event. */
export const listPending = ({ table, now }: Pick<Runtime, 'table' | 'now'>, request: RangeRequest) =>
  rangePage(table, wholeOutbox, request, (item) => {
    const event = toEvent(item);
    const { username = null } = Object(event.detail) as { username?: string };
    return {
      id: event.id,
      type: event.detailType,
      username,
      created_at: new Date(event.createdAt).toISOString(),
      age_seconds: Math.max(0, Math.floor((now() - event.createdAt) / 1000)),
      state: stateOf(event),
    } as const;
  });

/** Converts an item, also of an earlier version; attributes that it lacks stay absent. */
export function toEvent(item: PendingEvent): TriedEvent {
  const { PK: _, SK: id, createdAt, detailType, detail, ...others } = item as PendingEvent & Key;
  const type = EVENT_TYPES.find((one) => others[one] !== undefined);
  const trials = Object.entries(others).filter(([name]) => name !== type && name !== 'id');
  return {
    ...(Object.fromEntries(trials) as Trials),
    id,
    detailType: type ?? detailType ?? '',
    createdAt,
    detail: parsed((type && others[type]) ?? detail ?? ''),
  };
}

/** A damaged detail stays as it is: the bus refuses this event, and gets all others. */
function parsed(detail: string): unknown {
  try {
    return JSON.parse(detail) as unknown;
  } catch {
    return detail;
  }
}

/** Maximum of events that one sweep publishes, in about 50 calls of the bus. */
export const MAX_DUE = 500;

/** Finds events that are due, oldest first, after any number of events that wait for their next attempt. */
export async function findDue(table: Table, time: number, max = MAX_DUE) {
  const due: TriedEvent[] = [];
  const waiting: TriedEvent[] = [];
  // Dead-lettered events: every sweep reads them, since they are the oldest, and retries none.
  const setAside: TriedEvent[] = [];
  for await (const page of pages(table, wholeOutbox)) {
    for (const event of page.map(toEvent)) {
      if (event.setAsideAt !== undefined) setAside.push(event);
      else if (isDue(event, time)) due.push(event);
      else waiting.push(event);
    }
    if (due.length >= max) break;
  }
  return { due: due.slice(0, max), waiting, setAside };
}

/**
 * Publishes events and removes the accepted ones from the outbox. After an interruption in between, an event is
 * published again: delivery is at least once.
 *
 * @param refused receives each event that the bus does not accept, with the reason
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
