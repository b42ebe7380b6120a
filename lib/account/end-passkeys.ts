import { bestEffort } from '../async/best-effort.ts';
import type { Actor } from '../event/event.ts';
import { passkey_delete } from '../event/passkey-events.ts';
import type { Account } from '../item/account.ts';
import { type AccountChange, type Announcing, announce, occurrenceBy } from '../outbox/announcement.ts';
import { assign } from '../table/expressions.ts';
import { passkeyKey } from '../table/keys.ts';
import { remove, type TransactWrite } from '../table/write.ts';
import { asRead } from './account.ts';
import { passkeysRead, withoutPasskeys } from './enrolments.ts';

interface PasskeysEnd extends AccountChange {
  /** Number of the passkeys. */
  readonly ended: number;
  /** Writes of the same transaction: DynamoDB removes the items if {@link removeItems} does not. */
  readonly writes: readonly TransactWrite[];
  /** Removes the items alone, since a deletion in the transaction could reach the account. */
  readonly removeItems: () => Promise<unknown>;
}

/**
 * The end of all passkeys of an account, as a part of a transaction that changes the account: it no longer lists them. It
 * counts as a transition, so writes in flight of the sessions that they opened fail.
 *
 * @param account as it was read: another passkey that was created meanwhile must end too
 */
export function endOfPasskeys(runtime: Announcing, account: Account, actor: Actor): PasskeysEnd {
  const { passkeys = {} } = account;
  const [names, ids] = [Object.keys(passkeys), Object.values(passkeys)];
  const announcements = names.map((name) =>
    announce(runtime, passkey_delete, occurrenceBy(runtime, actor), name),
  );
  const [first] = announcements;
  const ttl = Math.ceil(runtime.now() / 1000);
  return {
    ended: names.length,
    to: {
      ...withoutPasskeys(account, names),
      transitions: (account.transitions ?? 0) + 1,
    },
    counted: { ...first?.counted(account, names.length) },
    expected: { ...asRead(account), ...passkeysRead(account), ...first?.expected(account) },
    writes: ids.map((id) => ({ Update: { Key: passkeyKey(id), ...assign({ ttl }, {}) } })),
    events: (after) => announcements.flatMap((each, earlier) => each.events(after, earlier)),
    removeItems: () => Promise.all(ids.map((id) => bestEffort(remove(runtime.table, passkeyKey(id))))),
  };
}
