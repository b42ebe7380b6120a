import type { Account } from '../item/account.ts';
import { describe, log } from '../log/log.ts';
import type { Patience } from '../retry.ts';
import { outboxKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type ConditionFailed, type TransactWrite, transact } from '../table/write.ts';
import type { Announcement } from './announcement.ts';
import { publishPending } from './outbox.ts';

/** An event that is to be made of an account as it is written. */
export interface Announced {
  readonly announcement: Announcement;
  readonly account: Account;
}

/**
 * Carries out writes together with the event that they make happen, if any, as {@link commitWithEvents} does.
 *
 * @param account as it is written: the event is made of it
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
 * Carries out writes together with the events that they make happen, and publishes these. This is the only way into the
 * outbox, so none can be written and not published. What publishing misses the relay makes good, so it never fails the
 * request.
 *
 * @param announced events that all go to one bus
 * @returns the condition that did not hold, as {@link transact} does; then nothing is written or published
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
      log('warn', { message: 'An event is left to the relay', event: id, error: describe(error) });
  }
  return undefined;
}
