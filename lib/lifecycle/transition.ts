import { MAY_AUTHENTICATE, sameUsername } from '../account/account.ts';
import type { Account } from '../item/account.ts';
import type { OutboxEvent } from '../item/outbox-event.ts';
import { commitWithEvent } from '../outbox/commit.ts';
import type { Publish } from '../outbox/publisher.ts';
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

/** An administrator who has been locked or cancelled a moment ago changes nobody any more. */
const stillAdministrator = (caller: Account): TransactWrite => ({
  ConditionCheck: {
    Key: accountKey(caller.username),
    ConditionExpression: `${MAY_AUTHENTICATE.condition} AND contains(#roles, :role)`,
    ExpressionAttributeNames: { '#roles': 'roles' },
    ExpressionAttributeValues: { ...MAY_AUTHENTICATE.values, ':role': 'sys_administrator' },
  },
  otherwise: 'unauthenticated',
});

/** What of the account must be as it was read: its state, and all that an event says of it. */
const expected = (account: Account, { event }: Transition) => ({
  isactive: account.isactive,
  lockoutend: account.lockoutend,
  ...(event ? Object.fromEntries(EVENT_FIELDS.map((field) => [field, account[field]])) : {}),
});

/**
 * Changes the state of an account exactly once, however many ask for it at the same time.
 *
 * @param caller who asks; undefined for an operator
 * @param target as read last
 * @throws Failure `unauthenticated` where the caller has lost its permission meanwhile
 */
export const transition = (
  table: Table,
  caller: Account | undefined,
  target: Account,
  change: Transition,
): Promise<Transitioned> =>
  optimistically(target, async (before) => {
    if (!change.isDue(before)) return { account: before, changed: false };
    const account: Account = { ...before, ...change.to };
    const writes = [
      { Update: { Key: accountKey(before.username), ...assign(change.to, expected(before, change)) } },
      ...(caller && !sameUsername(caller.username, before.username) ? [stillAdministrator(caller)] : []),
      ...(change.counters?.(before) ?? []),
    ];
    const failed = change.event
      ? await commitWithEvent(table, change.event.publish, writes, change.event.of(account))
      : await transact(table, writes);
    return failed ?? { account, changed: true };
  });
