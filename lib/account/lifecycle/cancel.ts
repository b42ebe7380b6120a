import type { Actor } from '../../event/event.ts';
import { user_cancel } from '../../event/user-events.ts';
import { Failure } from '../../failure/failure.ts';
import type { Account } from '../../item/account.ts';
import { type Announcing, announce, occurrenceBy } from '../../outbox/announcement.ts';
import { cancellationKey } from '../../table/keys.ts';
import { storing } from '../../table/write.ts';
import { sameUsername } from '../account.ts';
import { changedItem } from '../directory/item.ts';
import { transition } from './transition.ts';

/**
 * Cancels an account; its new stamp ends its sessions and its one-time code, and the codes that it has made end. One transaction writes the new state and its event, which is published afterwards. The relay
 * publishes events that this request could not publish.
 *
 * @throws Failure `self_target`
 */
export async function cancelAccount(runtime: Announcing, target: Account, actor: Actor) {
  const { now, uuid, settings } = runtime;
  const { username } = target;
  if (sameUsername(actor.by, username)) throw new Failure('self_target');
  const occurrence = occurrenceBy(runtime, actor);
  const cancelled_at = new Date(occurrence.at).toISOString();
  const entry = storing(cancellationKey(username, cancelled_at), {
    cancelled_username: username,
    cancelled_at,
  });
  const result = await transition(runtime, target, {
    isDue: ({ isactive }) => isactive,
    to: { isactive: false, stamp: uuid(), cancelled_at, cancelled_by: actor.by },
    others: () => [entry],
    endsCodes: true,
    announcement: announce(runtime, user_cancel, occurrence, undefined),
  });
  return changedItem(result, now(), settings);
}
