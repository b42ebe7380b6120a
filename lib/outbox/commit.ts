import type { OutboxEvent } from '../item/outbox-event.ts';
import { describe, log } from '../log.ts';
import { PATIENT } from '../retry.ts';
import { outboxKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type ConditionFailed, type TransactWrite, transact } from '../table/write.ts';
import { publishPending } from './outbox.ts';
import type { Publish } from './publisher.ts';

/**
 * Carries out writes together with the event that they make happen, and publishes that event. This is the only way
 * into the outbox, so none can be written and not published. What publishing misses the relay makes good, so it
 * never fails the request.
 *
 * @returns the condition that did not hold, as {@link transact} does; then nothing is written or published
 */
export async function commitWithEvent(
  table: Table,
  publish: Publish,
  writes: readonly TransactWrite[],
  event: OutboxEvent,
): Promise<ConditionFailed | undefined> {
  const Item = { ...outboxKey(event.id), ...event, detail: JSON.stringify(event.detail) };
  const failed = await transact(table, [...writes, { Put: { Item } }], PATIENT);
  if (failed) return failed;
  try {
    await publishPending(table, publish, [event]);
  } catch (error) {
    log('warn', { message: 'An event is left to the relay', event: event.id, error: describe(error) });
  }
  return undefined;
}
