import type { OutboxEvent } from '../item/outbox-event.ts';
import { outboxKey, wholeOutbox } from '../table/keys.ts';
import { query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { remove } from '../table/write.ts';
import { MAX_ENTRIES, type Publish } from './publisher.ts';

/** The events that are yet to be published, oldest first. */
export async function pendingEvents(table: Table): Promise<OutboxEvent[]> {
  const items = await query(table, wholeOutbox);
  return items.map(({ id, detailType, detail, createdAt }) => ({
    id,
    detailType,
    detail: JSON.parse(detail) as unknown,
    createdAt,
  }));
}

/**
 * Publishes events and removes from the outbox those that the bus has accepted. Should it stop in between,
 * an event is published again: delivery is at least once.
 *
 * @returns the events that the bus has not accepted
 */
export async function publishPending(
  table: Table,
  publish: Publish,
  events: readonly OutboxEvent[],
): Promise<OutboxEvent[]> {
  const failed: OutboxEvent[] = [];
  for (let start = 0; start < events.length; start += MAX_ENTRIES) {
    const batch = events.slice(start, start + MAX_ENTRIES);
    const accepted = await publish(batch);
    await Promise.all(accepted.map(({ id }) => remove(table, outboxKey(id))));
    failed.push(...batch.filter((event) => !accepted.includes(event)));
  }
  return failed;
}
