import { bestEffort } from '../async/best-effort.ts';
import type { Actor } from '../event/event.ts';
import { trust_delete } from '../event/trust-events.ts';
import type { Account } from '../item/account.ts';
import { type AccountChange, type Announcing, announce, occurrenceBy } from '../outbox/announcement.ts';
import { assign } from '../table/expressions.ts';
import { type Key, trustKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { remove, type TransactWrite } from '../table/write.ts';

/** The write that takes a trust out of lists. Its item stays until it is removed alone: no transaction with an account deletes. */
export const unlisting = (username: string, name: string, now: number): TransactWrite => ({
  Update: {
    Key: { ...trustKey(username, name) },
    ...assign({ GSI1PK: undefined, GSI1SK: undefined, ttl: Math.ceil(now / 1000) }, {}),
  },
});

/** Removes the item of a deleted trust, unless another trust has its name meanwhile. DynamoDB removes it otherwise. */
export const removeUnlisted = (table: Table, key: Key) =>
  bestEffort(
    remove(table, key, {
      ConditionExpression: 'attribute_exists(#ttl)',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
    }),
  );

interface TrustsEnd extends AccountChange {
  /** Number of the trusts. */
  readonly ended: number;
  /** Writes of the same transaction. */
  readonly writes: readonly TransactWrite[];
  readonly removeItems: () => Promise<unknown>;
}

/**
 * The end of all trusts of a machine, as a part of a transition of the account.
 *
 * @param account as it was read: another trust that was created meanwhile must end too
 */
export function endOfTrusts(runtime: Announcing, account: Account, actor: Actor): TrustsEnd {
  const { username, trusts = {} } = account;
  const names = Object.keys(trusts);
  const announcements = names.map((name) =>
    announce(runtime, trust_delete, occurrenceBy(runtime, actor), name),
  );
  const [first] = announcements;
  return {
    ended: names.length,
    to: { trusts: undefined },
    counted: { ...first?.counted(account, names.length) },
    expected: { ...first?.expected(account) },
    writes: names.map((name) => unlisting(username, name, runtime.now())),
    events: (after) => announcements.flatMap((each, earlier) => each.events(after, earlier)),
    removeItems: () =>
      Promise.all(names.map((name) => removeUnlisted(runtime.table, trustKey(username, name)))),
  };
}
