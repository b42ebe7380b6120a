import type { Actor } from '../event/account-event.ts';
import { Failure } from '../failure.ts';
import { once } from '../idempotency/once.ts';
import type { Repeatable } from '../idempotency/seal.ts';
import type { Limits } from '../item/token.ts';
import type { Announcing } from '../outbox/announcement.ts';
import { readAccount } from './account.ts';
import { createDrafted, type Draft } from './create.ts';
import { newCode } from './create-code.ts';
import { directoryItem } from './directory/item.ts';

/** A validated request for an account. */
interface Requested {
  readonly actor: Actor;
  readonly limits: Limits;
  readonly body: Omit<Draft, 'password' | 'password_hash'> & { readonly invite_hours?: number | undefined };
}

/** The one-time code of a new account; empty without one. */
interface Invitation {
  readonly code?: string;
  readonly code_expires_at?: string;
}

/**
 * Creates an account as requested, once for each `Idempotency-Key`: without a password, and with `invite_hours` with a
 * one-time code that sets one.
 *
 * @returns the directory item with the code, which cannot be read again
 * @throws Failure `account_exists`, `team_not_found`; `forbidden` if the limits of the credential permit no code
 */
export function createInvited(
  runtime: Announcing,
  { actor, limits, body }: Requested,
  repeatable: Repeatable | undefined,
) {
  const { invite_hours: hours, ...draft } = body;
  const { username } = draft;
  const shown = async (account: Awaited<ReturnType<typeof readAccount>>, invitation: Invitation) => {
    // Accounts are never deleted.
    if (!account) throw new Failure('account_not_found');
    return { ...directoryItem(account, runtime.now()), ...invitation };
  };
  const asked = JSON.stringify([body, limits]);
  return once(
    runtime,
    repeatable && { ...repeatable, username, asked },
    async (note) => {
      const made = hours === undefined ? undefined : newCode(runtime, username, actor, hours, limits);
      const invitation = made ? { code: made.code, code_expires_at: made.expires_at } : {};
      const more = [...(note ? [note(JSON.stringify(invitation))] : []), ...(made ? [made.write] : [])];
      const account = await createDrafted(runtime, draft, { publish: runtime.publish, actor }, more);
      return shown(account, invitation);
    },
    async (secret) => shown(await readAccount(runtime.table, username), JSON.parse(secret) as Invitation),
  );
}
