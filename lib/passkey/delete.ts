import { asRead } from '../account/account.ts';
import { passkeysRead, withoutPasskeys } from '../account/enrolments.ts';
import { checkMayEnd } from '../account/within.ts';
import { bestEffort } from '../async/best-effort.ts';
import { PATIENT } from '../async/retry.ts';
import type { Actor } from '../event/event.ts';
import { passkey_delete } from '../event/passkey-events.ts';
import { Failure } from '../failure/failure.ts';
import type { Account } from '../item/account.ts';
import type { Passkey } from '../item/passkey.ts';
import type { CredentialLimits } from '../item/token.ts';
import { type Announcing, announce, occurrenceBy } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import { endingCodes } from '../table/ending-codes.ts';
import { assign } from '../table/expressions.ts';
import { accountKey, passkeyKey } from '../table/keys.ts';
import { optimistically } from '../table/optimistic.ts';
import { remove } from '../table/write.ts';
import { nameIn } from './name.ts';

/** The attributes of a passkey, as absent. */
const EMPTY: Record<keyof Passkey, undefined> = {
  passkey_owner: undefined,
  passkey_name: undefined,
  credential_id: undefined,
  public_key: undefined,
  counter: undefined,
  transports: undefined,
  backup_eligible: undefined,
  backed_up: undefined,
  rp_id: undefined,
  passkey_created_at: undefined,
  passkey_used_at: undefined,
  ttl: undefined,
};

interface Removal {
  /** Of the credential of the request: a passkey is wider than any with limits. */
  readonly limits?: CredentialLimits;
  /** Ends all sessions and codes too: the remedy of a stolen device. */
  readonly isRemedy?: boolean;
}

/**
 * Removes a passkey. It counts as a transition, so writes in flight of the sessions that it opened fail; the account no
 * longer lists it, so they are refused from the next request on.
 *
 * @param wanted name of the passkey, in any case
 * @throws Failure `passkey_not_found`, `forbidden`
 */
export async function removePasskey(
  runtime: Announcing,
  target: Account,
  wanted: string,
  actor: Actor,
  { limits = {}, isRemedy = false }: Removal = {},
) {
  checkMayEnd({}, limits);
  const name = nameIn(Object.keys(target.passkeys ?? {}), wanted);
  if (name === undefined) throw new Failure('passkey_not_found');
  const occurrence = occurrenceBy(runtime, actor);
  const announcement = announce(runtime, passkey_delete, occurrence, name);
  const stamp = isRemedy ? { stamp: runtime.uuid() } : {};
  const ttl = Math.ceil(runtime.now() / 1000);
  return optimistically<Account | undefined, { username: string; name: string }>(
    target,
    async (account) => {
      const all = account?.passkeys ?? {};
      if (!account || !Object.hasOwn(all, name)) throw new Failure('passkey_not_found');
      const { [name]: id = '' } = all;
      const left = withoutPasskeys(account, [name]);
      const transitions = (account.transitions ?? 0) + 1;
      const changes = assign(
        { ...left, transitions, ...stamp, ...announcement.counted(account) },
        { ...asRead(account), ...passkeysRead(account), ...announcement.expected(account) },
      );
      const Update = {
        Key: accountKey(account.username),
        ...(isRemedy ? endingCodes(changes, runtime) : changes),
      };
      // The empty item stays until it is removed alone: no transaction with an account deletes.
      const emptied = { Update: { Key: passkeyKey(id), ...assign({ ...EMPTY, ttl }, {}) } };
      const after = { ...account, ...left, transitions };
      const failed = await commitWithEvents(
        runtime,
        [{ Update }, emptied],
        announcement.events(after),
        PATIENT,
      );
      if (failed) return failed;
      await bestEffort(remove(runtime.table, passkeyKey(id)));
      return { username: account.username, name };
    },
    PATIENT.attempts,
  );
}
