import { bestEffort } from '../../async/best-effort.ts';
import type { Body } from '../../contract/contract.ts';
import type { Actor } from '../../event/event.ts';
import { user_reactivate } from '../../event/user-events.ts';
import { type Account, liveTokens } from '../../item/account.ts';
import { type Announcing, announce, occurrenceBy } from '../../outbox/announcement.ts';
import { cancellationKey } from '../../table/keys.ts';
import { remove } from '../../table/write.ts';
import { changedItem } from '../directory/item.ts';
import { deleteTokensOfCancelled } from '../tokens/of-cancelled.ts';
import type { contract as reactivate } from './reactivate.contract.ts';
import { transition } from './transition.ts';

/**
 * Makes a cancelled account active again; its sessions stay invalid. By default its API tokens become valid again. Tokens
 * to revoke are deleted first, so that none becomes valid for a moment. After an interruption the account is still cancelled.
 */
export async function reactivateAccount(
  runtime: Announcing,
  target: Account,
  actor: Actor,
  { revoke_tokens = false }: Body<typeof reactivate> = {},
) {
  const { now } = runtime;
  const revokes = revoke_tokens && !target.isactive;
  const revoked = revokes ? await deleteTokensOfCancelled(runtime, target) : 0;
  const occurrence = occurrenceBy(runtime, actor);
  const without = { token_count: 0, token_ends: undefined };
  const result = await transition(runtime, revokes ? ({ ...target, ...without } as Account) : target, {
    isDue: ({ isactive }) => !isactive,
    to: { isactive: true, cancelled_at: undefined, cancelled_by: undefined },
    requires: revoke_tokens ? without : {},
    announcement: announce(runtime, user_reactivate, occurrence, revoked),
  });
  const { username, cancelled_at } = result.before;
  // Alone, since a deletion in the transaction could reach the account. Lists skip an entry that stays.
  if (result.changed && cancelled_at !== undefined)
    await bestEffort(remove(runtime.table, cancellationKey(username, cancelled_at)));
  return {
    ...changedItem(result, now()),
    tokens_revived: result.changed ? liveTokens(result.account, occurrence.at) : 0,
    tokens_revoked: revoked,
  };
}
