import type { Account } from '../item/account.ts';
import { describe, log } from '../log.ts';
import type { Patience } from '../retry.ts';
import { outboxKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type ConditionFailed, type TransactWrite, transact } from '../table/write.ts';
import type { Announcement } from './announcement.ts';
import { publishPending } from './outbox.ts';

/**
 * Carries out writes together with the event that they make happen, if any, and publishes that event. This is the only way
 * into the outbox, so none can be written and not published. What publishing misses the relay makes good, so it
 * never fails the request.
 *
 * @param account as it is written: the event is made of it
 * @returns the condition that did not hold, as {@link transact} does; then nothing is written or published
 */
export async function commitWithEvent(
  table: Table,
  writes: readonly TransactWrite[],
  announcement: Announcement | undefined,
  account: Account,
  patience?: Patience,
): Promise<ConditionFailed | undefined> {
  if (!announcement) return transact(table, writes, patience);
  const event = announcement.of(account);
  const Item = { ...outboxKey(event.id), ...event, detail: JSON.stringify(event.detail) };
  const failed = await transact(table, [...writes, { Put: { Item } }], patience);
  if (failed) return failed;
  try {
    await publishPending(table, announcement.publish, [event]);
  } catch (error) {
    log('warn', { message: 'An event is left to the relay', event: event.id, error: describe(error) });
  }
  return undefined;
}
