import { bestEffort } from '../../async/best-effort.ts';
import type { Body } from '../../contract/contract.ts';
import type { Actor } from '../../event/event.ts';
import { user_reactivate } from '../../event/user-events.ts';
import { type Account, liveTokens } from '../../item/account.ts';
import { type Announcing, announce, occurrenceBy } from '../../outbox/announcement.ts';
import { cancellationKey } from '../../table/keys.ts';
import { remove } from '../../table/write.ts';
import { changedItem } from '../directory/item.ts';
import { REQUEST_MS, removeRevoked } from '../tokens/remove.ts';
import { noteRevocation, revocationOf, withoutTokens } from '../tokens/revocation.ts';
import type { contract as reactivate } from './reactivate.contract.ts';
import { transition } from './transition.ts';

/**
 * Makes a cancelled account active again; its sessions stay invalid. By default its API tokens become valid again. Tokens
 * to revoke end in the same write, so that none becomes valid for a moment.
 */
export async function reactivateAccount(
  runtime: Announcing,
  target: Account,
  actor: Actor,
  { revoke_tokens = false }: Body<typeof reactivate> = {},
) {
  const { now, settings } = runtime;
  const occurrence = occurrenceBy(runtime, actor);
  const { at } = occurrence;
  const result = await transition(runtime, target, (before) => {
    const revoked = revoke_tokens ? liveTokens(before, at) : 0;
    return {
      isDue: ({ isactive }) => !isactive,
      to: {
        isactive: true,
        cancelled_at: undefined,
        cancelled_by: undefined,
        ...(revoke_tokens && withoutTokens(before)),
      },
      others: () => (revoke_tokens ? [noteRevocation(revocationOf(before, at))] : []),
      announcement: announce(runtime, user_reactivate, occurrence, revoked),
    };
  });
  const { username, cancelled_at } = result.before;
  // Alone, since a deletion in the transaction could reach the account. Lists skip an entry that stays.
  if (result.changed && cancelled_at !== undefined)
    await bestEffort(remove(runtime.table, cancellationKey(username, cancelled_at)));
  const revokes = revoke_tokens && result.changed;
  if (revokes) await bestEffort(removeRevoked(runtime, revocationOf(result.before, at), now() + REQUEST_MS));
  return {
    ...changedItem(result, now(), settings),
    tokens_revived: result.changed ? liveTokens(result.account, at) : 0,
    tokens_revoked: revokes ? liveTokens(result.before, at) : 0,
  };
}
