import { OUTBOX, outboxKey } from '../table/keys.ts';
import { query } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { remove, type TransactWrite } from '../table/write.ts';
import type { OutboxEvent } from './event.ts';
import { MAX_ENTRIES, type Publish } from './publisher.ts';

/** Puts an event into the outbox, as a part of the transaction that makes it happen. */
export const append = ({ detail, ...event }: OutboxEvent): TransactWrite => ({
  Put: { Item: { ...outboxKey(event.id), ...event, detail: JSON.stringify(detail) } },
});

/** The events that are yet to be published, oldest first. */
export async function pendingEvents(table: Table): Promise<OutboxEvent[]> {
  const items = await query<OutboxEvent<string>>(table, { PK: OUTBOX });
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
 * @returns the events that the bus did not accept
 */
export async function relay(
  table: Table,
  publish: Publish,
  events: readonly OutboxEvent[],
): Promise<OutboxEvent[]> {
  const refused: OutboxEvent[] = [];
  for (let start = 0; start < events.length; start += MAX_ENTRIES) {
    const batch = events.slice(start, start + MAX_ENTRIES);
    const accepted = await publish(batch);
    await Promise.all(accepted.map(({ id }) => remove(table, outboxKey(id))));
    refused.push(...batch.filter((event) => !accepted.includes(event)));
  }
  return refused;
}
