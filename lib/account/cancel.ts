import { Failure } from '../failure.ts';
import { describe, log } from '../log.ts';
import { append, relay } from '../outbox/outbox.ts';
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
  const cancelledAt = now();
  const eventOf = (account: Account) =>
    userCancel(eventId, account, { cancelledAt, cancelledBy: caller.username, requestId });
  const eventId = uuid();
  const result = await transition(table, caller, target, {
    isDue: ({ isactive }) => isactive,
    to: { isactive: false, stamp: uuid() },
    with: (account) => [append(eventOf(account))],
  });
  if (result.changed)
    await relay(table, publish, [eventOf(result.account)]).catch((error) =>
      log('warn', { message: 'The event is left to the sweep', event: eventId, error: describe(error) }),
    );
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
