import type { Account } from '../item/account.ts';
import type { OutboxEvent } from '../item/outbox-event.ts';
import { commitWithEvent } from '../outbox/commit.ts';
import type { Publish } from '../outbox/publisher.ts';
import { PATIENT } from '../retry.ts';
import { assign } from '../table/expressions.ts';
import { accountKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import type { Table } from '../table/table.ts';
import { type TransactWrite, transact } from '../table/write.ts';
import { EVENT_FIELDS } from './account-event.ts';

/** A change of an account's state: when it is due, what it sets, and what is written with it. */
export interface Transition {
  /** Whether the account is in the state that this leads out of; otherwise nothing changes. */
  readonly isDue: (account: Account) => boolean;
  /** What the item becomes; undefined removes an attribute. */
  readonly to: Partial<Account> & { readonly GSI2PK?: undefined; readonly GSI2SK?: undefined };
  /** Counters that change in the same transaction, by the account as it was. */
  readonly counters?: (account: Account) => readonly TransactWrite[];
  /** The event of the change, made of the account as it is written, and where it is published. */
  readonly event?: { readonly publish: Publish; readonly of: (account: Account) => OutboxEvent };
}

export interface Transitioned {
  readonly account: Account;
  readonly changed: boolean;
}

/** What of the account must be as it was read: its state, and all that an event says of it. */
const expected = (account: Account, { event }: Transition) => ({
  isactive: account.isactive,
  lockoutend: account.lockoutend,
  ...(event ? Object.fromEntries(EVENT_FIELDS.map((field) => [field, account[field]])) : {}),
});

/**
 * Changes the state of an account exactly once, however many ask for it at the same time. It has the patience to get
 * through while the account is written to without a pause: nobody can keep an administrator from locking it.
 *
 * @param target as read last
 */
export const transition = (table: Table, target: Account, change: Transition): Promise<Transitioned> =>
  optimistically<Account, Transitioned>(
    target,
    async (before) => {
      if (!change.isDue(before)) return { account: before, changed: false };
      const account: Account = { ...before, ...change.to };
      const writes = [
        { Update: { Key: accountKey(before.username), ...assign(change.to, expected(before, change)) } },
        ...(change.counters?.(before) ?? []),
      ];
      const failed = change.event
        ? await commitWithEvent(table, change.event.publish, writes, change.event.of(account))
        : await transact(table, writes, PATIENT);
      return failed ?? { account, changed: true };
    },
    PATIENT.attempts,
  );
