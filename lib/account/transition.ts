import { Failure } from '../failure.ts';
import { assign } from '../table/expressions.ts';
import { accountKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import type { Table } from '../table/table.ts';
import { type TransactWrite, transact } from '../table/write.ts';
import { type Account, MAY_AUTHENTICATE, sameUsername } from './account.ts';

/** A change of an account's state: when it is due, what it sets, and what is written with it. */
export interface Transition {
  /** Whether the account is in the state that this leads out of; otherwise nothing changes. */
  readonly isDue: (account: Account) => boolean;
  /** What the item becomes; undefined removes an attribute. */
  readonly to: Partial<Account> & { readonly GSI2PK?: undefined; readonly GSI2SK?: undefined };
  /** Writes of the same transaction: counters, events. */
  readonly with?: (account: Account) => readonly TransactWrite[];
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
  optimistically(target, async (account) => {
    if (!change.isDue(account)) return { account, changed: false };
    const { isactive, lockoutend } = account;
    const refusal = await transact(table, [
      { Update: { Key: accountKey(account.username), ...assign(change.to, { isactive, lockoutend }) } },
      ...(caller && !sameUsername(caller.username, account.username) ? [stillAdministrator(caller)] : []),
      ...(change.with?.(account) ?? []),
    ]);
    if (refusal && refusal.index > 0) throw new Failure('unauthenticated');
    return refusal ?? { account: { ...account, ...change.to }, changed: true };
  });
