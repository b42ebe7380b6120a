import { asRead } from '../account/account.ts';
import { changeAccount } from '../account/change-account.ts';
import { removeUnlisted, unlisting } from '../account/end-trusts.ts';
import { checkMayEnd, isNarrow } from '../account/within.ts';
import { PATIENT } from '../async/retry.ts';
import type { Actor } from '../event/event.ts';
import { trust_delete } from '../event/trust-events.ts';
import { Failure } from '../failure/failure.ts';
import type { Account } from '../item/account.ts';
import type { CredentialLimits } from '../item/token.ts';
import { trustLimits } from '../item/trust.ts';
import { type Announcing, announce, occurrenceBy } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import { assign } from '../table/expressions.ts';
import { accountKey, trustKey } from '../table/keys.ts';
import { get } from '../table/read.ts';

interface Deletion {
  /** Of the caller's credential, which ends no wider trust. */
  readonly limits?: CredentialLimits;
  /** ID that the trust must have; by default any. */
  readonly id?: string;
}

/**
 * Deletes a trust. It counts as a transition, so writes in flight of its sessions fail; the account no longer lists it, so
 * they are refused from the next request on.
 *
 * @throws Failure `trust_not_found`, `forbidden`
 */
export async function deleteTrust(
  runtime: Announcing,
  machine: Account,
  name: string,
  actor: Actor,
  { limits = {}, id }: Deletion = {},
) {
  const { table } = runtime;
  const announcement = announce(runtime, trust_delete, occurrenceBy(runtime, actor), name);
  return changeAccount(
    machine,
    async (account) => {
      const { username, trusts = {} } = account;
      const { [name]: found, ...others } = trusts;
      if (!Object.hasOwn(trusts, name) || (id ?? found) !== found) throw new Failure('trust_not_found');
      const key = trustKey(username, name);
      if (isNarrow(limits)) {
        const trust = await get(table, key);
        checkMayEnd(trust ? trustLimits(trust) : {}, limits);
      }
      const to = {
        trusts: Object.keys(others).length > 0 ? others : undefined,
        transitions: (account.transitions ?? 0) + 1,
      };
      const changes = assign(
        { ...to, ...announcement.counted(account) },
        { ...asRead(account), ...announcement.expected(account) },
      );
      const writes = [
        { Update: { Key: accountKey(username), ...changes } },
        unlisting(username, name, runtime.now()),
      ];
      const after = { ...account, transitions: to.transitions };
      const failed = await commitWithEvents(runtime, writes, announcement.events(after), PATIENT);
      if (failed) return failed;
      await removeUnlisted(table, key);
      return { trust_name: name, username };
    },
    PATIENT.attempts,
  );
}
