import { Answer } from '../contract/answer.ts';
import type { Body } from '../contract/contract.ts';
import { Failure } from '../failure/failure.ts';
import { checkPerson } from '../failure/machine.ts';
import { once, type Repeatable } from '../idempotency/once.ts';
import type { Account } from '../item/account.ts';
import type { CredentialLimits } from '../item/token.ts';
import type { Announcing } from '../outbox/announcement.ts';
import type { HashName } from '../pseudonym/name-hash.ts';
import { readAccount } from './account.ts';
import type { contract as create } from './create.contract.ts';
import { createAccount } from './create.ts';
import { checkMayMakeCodes, makerOf, newCode } from './create-code.ts';
import { directoryItem } from './directory/item.ts';
import { membershipDetails } from './memberships.ts';
import { withoutEnd } from './within.ts';

/** The one-time code of a new account; empty without one. */
type Invitation = Partial<Record<'code' | 'code_expires_at', string>>;

/**
 * Creates an account as requested, once for each `Idempotency-Key`: without a password, and with `invite_hours` with a
 * one-time code that sets one.
 *
 * @returns the directory item with the code, which cannot be read again
 * @throws Failure `account_exists`, `account_erased`, `team_not_found`; `forbidden` if the limits of the credential permit no code
 */
export function createInvited(
  runtime: Announcing & { readonly hashName: HashName },
  request: Repeatable & {
    readonly caller: Account;
    readonly limits: CredentialLimits;
    readonly body: Body<typeof create>;
  },
) {
  const { caller, actor, limits, body } = request;
  const { invite_hours: hours, ...input } = body;
  const { username } = input;
  const shown = (account: Account, invitation: Invitation) => ({
    ...directoryItem(account, runtime.now(), runtime.settings),
    ...invitation,
  });
  // As for tokens, an end makes no other request.
  const asked = JSON.stringify([body, withoutEnd(limits)]);
  return once(
    runtime,
    request,
    { username, name: '', asked },
    async (note) => {
      if (hours !== undefined)
        checkPerson(
          { kind: input.kind === 'machine' ? 'machine' : undefined },
          'invite_hours',
          'one-time code',
        );
      // Before anything is read for the account.
      if (hours !== undefined) checkMayMakeCodes(limits);
      let invitation: Invitation = {};
      const more = (account: Account) => {
        const made =
          hours === undefined ? undefined : newCode(runtime, account, makerOf(caller), hours, limits);
        if (made) invitation = { code: made.code, code_expires_at: made.expires_at };
        const writes = [note?.(JSON.stringify(invitation)), made?.write];
        return {
          writes: writes.filter((write) => write !== undefined),
          ...(made && { open_code: made.open_code }),
        };
      };
      const account = await createAccount(runtime, input, { publish: runtime.publish, actor }, { more });
      const details = {
        ...membershipDetails(account),
        ...(hours && { invite_hours: hours }),
        ...(account.owner && { machine_owner: account.owner }),
      };
      return new Answer(shown(account, invitation), { details });
    },
    async (secret) => {
      const account = await readAccount(runtime.table, username);
      if (!account) throw new Failure('account_erased');
      return shown(account, JSON.parse(secret) as Invitation);
    },
  );
}
