import type { Actor } from '../../event/account-event.ts';
import { userReactivate } from '../../event/user-reactivate.ts';
import type { Account } from '../../item/account.ts';
import { type Announcing, announce, changeBy } from '../../outbox/announcement.ts';
import { cancellationKey } from '../../table/keys.ts';
import { changedItem } from '../directory/item.ts';
import { deleteTokensOfCancelled } from './tokens-of-cancelled.ts';
import { transition } from './transition.ts';

/** Treatment of the API tokens: by default they become valid again. */
interface Options {
  readonly revoke_tokens?: boolean | undefined;
}

/**
 * Makes a cancelled account active again; its sessions stay invalid. Tokens to revoke are deleted first, so that none
 * becomes valid for a moment. After an interruption the account is still cancelled.
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
