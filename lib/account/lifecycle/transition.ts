import type { Account } from '../../item/account.ts';
import type { Announcement } from '../../outbox/announcement.ts';
import { commitWithEvent } from '../../outbox/commit.ts';
import { PATIENT } from '../../retry.ts';
import { assign } from '../../table/expressions.ts';
import { accountKey } from '../../table/keys.ts';
import { optimistically } from '../../table/optimistic.ts';
import type { Table } from '../../table/table.ts';
import type { TransactWrite } from '../../table/write.ts';

/** A change of an account's state: when it is due, what it sets, and what is written with it. */
export interface Transition {
  /** Whether the account is in the state that this leads out of; otherwise nothing changes. */
  readonly isDue: (account: Account) => boolean;
  /** What the item becomes; undefined removes an attribute. */
  readonly to: Omit<{ readonly [K in keyof Account]?: Account[K] | undefined }, 'transitions'> & {
    readonly GSI2PK?: undefined;
    readonly GSI2SK?: undefined;
  };
  /** What must hold besides, and holds as a rule: it is waited for. */
  readonly requires?: Partial<Account>;
  /** What else is written in the same transaction, by the account as it was. */
  readonly others?: (account: Account) => readonly TransactWrite[];
  /** The event of the change, where the instance publishes it. */
  readonly announcement: Announcement | undefined;
}

export interface Transitioned {
  readonly account: Account;
  readonly changed: boolean;
}

/** What of the account must be as it was read: its state, and all that an event says of it. */
const expected = (account: Account, { announcement, requires }: Transition) => ({
  isactive: account.isactive,
  lockoutend: account.lockoutend,
  transitions: account.transitions,
  ...announcement?.expected(account),
  ...requires,
});

/**
 * Changes the state of an account exactly once, however many ask for it at the same time, and counts the change. It
 * has the patience to get through while the account is written to without a pause: nobody can keep an administrator
 * from locking it.
 *
 * @param target as read last
 */
export const transition = (table: Table, target: Account, change: Transition): Promise<Transitioned> =>
  optimistically<Account, Transitioned>(
    target,
    async (before) => {
      if (!change.isDue(before)) return { account: before, changed: false };
      const to = { ...change.to, transitions: (before.transitions ?? 0) + 1 };
      const account = { ...before, ...to } as Account;
      const writes = [
        { Update: { Key: accountKey(before.username), ...assign(to, expected(before, change)) } },
        ...(change.others?.(before) ?? []),
      ];
      const failed = await commitWithEvent(table, writes, change.announcement, account, PATIENT);
      return failed ?? { account, changed: true };
    },
    PATIENT.attempts,
  );
