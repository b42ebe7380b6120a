import type { Patience } from '../async/retry.ts';
import type { OutboxEvent } from '../item/outbox-event.ts';
import { describe, log } from '../log/log.ts';
import { outboxKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type ConditionFailed, creating, type TransactWrite, transact } from '../table/write.ts';
import { publishPending } from './outbox.ts';
import type { Publish } from './publisher.ts';

/** Where a change is stored and published; a rule that has no events needs no publisher. */
interface Destination {
  readonly table: Table;
  readonly publish: Publish | undefined;
}

/**
 * Writes items together with their events in one transaction, then publishes the events. This is the only way into the
 * outbox, so no event is stored without being published. A failed publication does not fail the request: the relay
 * publishes the event later.
 *
 * @param events events for one bus, if any
 * @returns the failed condition, as {@link transact} does; then nothing is written or published
 */
export async function commitWithEvents(
  { table, publish }: Destination,
  writes: readonly TransactWrite[],
  events: readonly OutboxEvent[],
  patience?: Patience,
): Promise<ConditionFailed | undefined> {
  const entries = events.map(({ id, detailType, createdAt, detail }) =>
    creating(outboxKey(id), { createdAt, [detailType]: JSON.stringify(detail) }),
  );
  const failed = await transact(table, [...writes, ...entries], patience);
  if (failed || !publish) return failed;
  try {
    await publishPending(table, publish, events);
  } catch (error) {
    for (const { id } of events)
      log('warn', { message: 'An event waits for the relay', event: id, error: describe(error) });
  }
  return undefined;
}
