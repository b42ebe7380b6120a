import type { Account } from '../account/account.ts';
import { describe, log } from '../log.ts';
import type { Runtime } from '../runtime.ts';
import type { TransactWrite } from '../table/write.ts';
import type { OutboxEvent } from './event.ts';
import { append, relay } from './outbox.ts';
import type { Publish } from './publisher.ts';

/** An event of a change of an account, on its way from the transaction that makes it happen to the bus. */
export interface Announcement {
  /** The write that puts it into the outbox. */
  append(account: Account): TransactWrite;
  /** Publishes it. What this misses the sweep makes good, so it never fails. */
  publish(account: Account): Promise<void>;
}

/** @param eventOf the event, by its id and the account as the transaction found it */
export function announcement(
  { table, uuid }: Runtime,
  publish: Publish,
  eventOf: (id: string, account: Account) => OutboxEvent,
): Announcement {
  const id = uuid();
  return {
    append: (account) => append(eventOf(id, account)),
    async publish(account) {
      await relay(table, publish, [eventOf(id, account)]).catch((error) =>
        log('warn', { message: 'An event is left to the sweep', event: id, error: describe(error) }),
      );
    },
  };
}
