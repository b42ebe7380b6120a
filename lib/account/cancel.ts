import { Failure } from '../failure.ts';
import { announcement } from '../outbox/announcement.ts';
import type { Publish } from '../outbox/publisher.ts';
import { userCancel } from '../outbox/user-cancel.ts';
import type { Runtime } from '../runtime.ts';
import { type Account, sameUsername } from './account.ts';
import { changedItem } from './directory-item.ts';
import { transition } from './transition.ts';

/**
 * Cancels an account. The new state and its event are one transaction; publishing follows, and what it misses
 * the sweep of the outbox makes good.
 *
 * @throws Failure `self_target`
 */
export async function cancelAccount(
  runtime: Runtime,
  publish: Publish,
  caller: Account,
  target: Account,
  requestId: string,
) {
  if (sameUsername(caller.username, target.username)) throw new Failure('self_target');
  const { table, now, uuid } = runtime;
  const how = { cancelledAt: now(), cancelledBy: caller.username, requestId };
  const event = announcement(runtime, publish, (id, account) => userCancel(id, account, how));
  const result = await transition(table, caller, target, {
    isDue: ({ isactive }) => isactive,
    to: { isactive: false, stamp: uuid() },
    with: (account) => [event.append(account)],
  });
  if (result.changed) await event.publish(result.account);
  return changedItem(result, now());
}

/** Makes a cancelled account active again; its sessions stay dead. */
export async function reactivateAccount(
  { table, now }: Runtime,
  caller: Account | undefined,
  target: Account,
) {
  const result = await transition(table, caller, target, {
    isDue: ({ isactive }) => !isactive,
    to: { isactive: true },
  });
  return changedItem(result, now());
}
