import type { Actor } from '../event/account-event.ts';
import { type PasswordProof, passwordChange } from '../event/password-change.ts';
import { Failure } from '../failure.ts';
import { type Account, mayAuthenticate, type Password } from '../item/account.ts';
import { type Announcing, announce, changeBy } from '../outbox/announcement.ts';
import { commitWithEvent } from '../outbox/commit.ts';
import { assign, expecting } from '../table/expressions.ts';
import { accountKey, codeKey, formerPasswordKey, passwordKey } from '../table/keys.ts';
import { allUsernames } from '../table/listing.ts';
import { optimistically } from '../table/optimistic.ts';
import { getAll, MAX_BATCH } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { type ConditionFailed, put, remove, type TransactWrite, update } from '../table/write.ts';
import { noteCost } from './cost.ts';
import { hashPassword, newPassword } from './hash.ts';

/**
 * Sets the password of an account; its sessions and its one-time code end at once.
 *
 * @param actor the operator; without one, there is no event
 * @throws Failure `invalid_request` for an invalid password, `account_not_found`
 */
export async function setPassword(runtime: Announcing, before: Account, password: string, actor?: Actor) {
  const { table, settings } = runtime;
  const { id, username } = before;
  const hash = await hashPassword(newPassword(password, username), settings.BcryptCost);
  await noteCost(table, settings.BcryptCost);
  await optimistically(before, async (account: Account | undefined) => {
    if (account?.id !== id) throw new Failure('account_not_found');
    return storePassword(runtime, account, hash, 'command', actor);
  });
}

/** The state that a verification has read; a new password expects that none of it has changed. */
export interface Basis {
  /** The hash in its own place. */
  readonly hash: string | undefined;
  /** Whether there is one in its former place. */
  readonly former: boolean;
  /** Hash of the one-time code, if one was verified. */
  readonly sha256: string | undefined;
}

/**
 * Writes a new hash and a new stamp with their event, and deletes the one-time code, in one transaction.
 *
 * @param actor without one, there is no event
 * @param basis without one, the account may have changed
 * @returns the account afterwards, or the failed condition of the account
 * @throws Failure with a basis: `invalid_credentials` if the hash or the code has changed, or the account was locked or
 *   cancelled; `unavailable` after other changes
 */
export async function storePassword(
  runtime: Announcing,
  before: Account,
  hash: string,
  proof: PasswordProof,
  actor: Actor | undefined,
  basis?: Basis,
): Promise<Account | ConditionFailed> {
  const { id, username, stamp } = before;
  const after = { ...before, stamp: runtime.uuid() };
  const announcement = actor && announce(runtime, passwordChange, changeBy(runtime, actor), proof);
  const otherwise = 'invalid_credentials' as const;
  const expected = { ...(basis ? { stamp } : { id }), ...announcement?.expected(before) };
  const former = { Key: { ...formerPasswordKey(username) } };
  const emptied = basis?.former ? [{ Update: { ...former, ...assign({ hash: undefined }, {}) } }] : [];
  const code = { Key: { ...codeKey(username) }, ...(basis?.sha256 && expecting({ sha256: basis.sha256 })) };
  const own = { Item: { ...passwordKey(username), hash }, ...(basis && expecting({ hash: basis.hash })) };
  const writes: TransactWrite[] = [
    // The first of several failed conditions decides.
    { Delete: code, otherwise },
    { Put: own, otherwise },
    ...(basis ? emptied : [{ Delete: former }]),
    {
      Update: { Key: accountKey(username), ...assign({ stamp: after.stamp }, expected) },
      otherwise: (item) =>
        basis &&
        (item && mayAuthenticate(item as unknown as Account, runtime.now())
          ? new Failure('unavailable', { retryAfter: 1 })
          : otherwise),
    },
  ];
  return (await commitWithEvent(runtime.table, writes, announcement, after)) ?? after;
}

/**
 * Moves a hash from its former place, where earlier versions stored it, unless the account has a newer one. It is
 * written before it is removed, so that readers of both places always find it. An empty item is left, since login may
 * delete nothing; {@link movePasswords} deletes it.
 */
export async function movePassword(table: Table, username: string, hash: string): Promise<void> {
  await put(table, passwordKey(username), { hash }, expecting({ hash: undefined }));
  await update(table, { Key: formerPasswordKey(username), ...assign({ hash: undefined }, {}) });
}

/**
 * Moves the hashes of all accounts from their former place. It reads the whole directory; after an interruption the
 * next call moves the rest.
 *
 * @returns the number of moved hashes
 */
export async function movePasswords(table: Table) {
  let moved = 0;
  for await (const names of allUsernames(table, MAX_BATCH)) {
    const former: readonly (Partial<Password> | undefined)[] = await getAll(
      table,
      names.map(formerPasswordKey),
    );
    const left = names.flatMap((username, n) => (former[n] ? [{ username, hash: former[n].hash }] : []));
    const move = async ({ username, hash }: (typeof left)[number]) => {
      if (hash !== undefined) await movePassword(table, username, hash);
      await remove(table, formerPasswordKey(username));
    };
    await Promise.all(left.map(move));
    moved += left.filter(({ hash }) => hash !== undefined).length;
  }
  return { moved };
}
