import type { Actor } from '../../event/account-event.ts';
import { userReactivate } from '../../event/user-reactivate.ts';
import type { Account } from '../../item/account.ts';
import { type Announcing, announce, changeBy } from '../../outbox/announcement.ts';
import { cancellationKey } from '../../table/keys.ts';
import { changedItem } from '../directory/item.ts';
import { deleteTokensOfCancelled } from './tokens-of-cancelled.ts';
import { transition } from './transition.ts';

/** What becomes of the API tokens: they work again unless they are revoked. */
interface Options {
  readonly revoke_tokens?: boolean | undefined;
}

/**
 * Makes a cancelled account active again; its sessions stay dead. Where its tokens are revoked none of them works
 * again at any moment: they are deleted first. Should that be cut off, the account is cancelled as before.
 */
export async function reactivateAccount(
  runtime: Announcing,
  target: Account,
  actor: Actor,
  { revoke_tokens = false }: Options = {},
) {
  const { table, now } = runtime;
  const revokes = revoke_tokens && !target.isactive;
  const revoked = revokes ? await deleteTokensOfCancelled(table, target) : 0;
  const result = await transition(table, revokes ? { ...target, token_count: 0 } : target, {
    isDue: ({ isactive }) => !isactive,
    to: { isactive: true, cancelled_at: undefined, cancelled_by: undefined },
    requires: revoke_tokens ? { token_count: 0 } : {},
    others: ({ username, cancelled_at }) =>
      cancelled_at === undefined ? [] : [{ Delete: { Key: cancellationKey(username, cancelled_at) } }],
    announcement: announce(runtime, userReactivate, changeBy(runtime, actor), revoked),
  });
  return {
    ...changedItem(result, now()),
    tokens_revived: result.changed ? result.account.token_count : 0,
    tokens_revoked: revoked,
  };
}
