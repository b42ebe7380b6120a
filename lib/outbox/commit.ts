import type { Account } from '../item/account.ts';
import { describe, log } from '../log/log.ts';
import type { Patience } from '../retry.ts';
import { outboxKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type ConditionFailed, type TransactWrite, transact } from '../table/write.ts';
import type { Announcement } from './announcement.ts';
import { publishPending } from './outbox.ts';

export interface Announced {
  readonly announcement: Announcement;
  readonly account: Account;
}

/**
 * Writes items together with their event, if there is one, as {@link commitWithEvents} does.
 *
 * @param account the account as it is written, which the event reports
 */
export const commitWithEvent = (
  table: Table,
  writes: readonly TransactWrite[],
  announcement: Announcement | undefined,
  account: Account,
  patience?: Patience,
): Promise<ConditionFailed | undefined> =>
  commitWithEvents(table, writes, announcement ? [{ announcement, account }] : [], patience);

/**
 * Writes items together with their events in one transaction, then publishes the events. This is the only way into the
 * outbox, so no event is stored without being published. A failed publication does not fail the request: the relay
 * publishes the event later.
 *
 * @param announced events for one bus
 * @returns the failed condition, as {@link transact} does; then nothing is written or published
 */
export async function commitWithEvents(
  table: Table,
  writes: readonly TransactWrite[],
  announced: readonly Announced[],
  patience?: Patience,
): Promise<ConditionFailed | undefined> {
  const events = announced.map(({ announcement, account }) => announcement.of(account));
  const puts = events.map((event) => ({
    Put: { Item: { ...outboxKey(event.id), ...event, detail: JSON.stringify(event.detail) } },
  }));
  const failed = await transact(table, [...writes, ...puts], patience);
  if (failed || !announced[0]) return failed;
  try {
    await publishPending(table, announced[0].announcement.publish, events);
  } catch (error) {
    for (const { id } of events)
      log('warn', { message: 'An event waits for the relay', event: id, error: describe(error) });
  }
  return undefined;
}
