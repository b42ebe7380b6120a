import { sameUsername } from '../account/account.ts';
import { changedItem } from '../account/directory-item.ts';
import { Failure } from '../failure.ts';
import type { Account } from '../item/account.ts';
import type { Publish } from '../outbox/publisher.ts';
import type { Runtime } from '../runtime.ts';
import { accountEvent } from './account-event.ts';
import { transition } from './transition.ts';
import { userCancel } from './user-cancel.ts';

/**
 * Cancels an account. The new state and its event are one transaction; publishing follows, and what it misses
 * the relay of the outbox makes good.
 *
 * @throws Failure `self_target`
 */
export async function cancelAccount(
  { table, now, uuid, publish }: Runtime & { readonly publish: Publish },
  caller: Account,
  target: Account,
  requestId: string,
) {
  if (sameUsername(caller.username, target.username)) throw new Failure('self_target');
  const change = { id: uuid(), at: now(), by: caller.username, requestId };
  const result = await transition(table, target, {
    isDue: ({ isactive }) => isactive,
    to: { isactive: false, stamp: uuid() },
    event: { publish, of: (account) => accountEvent(userCancel, account, change) },
  });
  return changedItem(result, now());
}

/** Makes a cancelled account active again; its sessions stay dead. */
export async function reactivateAccount({ table, now }: Runtime, target: Account) {
  const result = await transition(table, target, {
    isDue: ({ isactive }) => !isactive,
    to: { isactive: true },
  });
  return changedItem(result, now());
}
