import { type AccountEvent, type Actor, accountEvent, type Change, usedBy } from '../event/account-event.ts';
import type { Account } from '../item/account.ts';
import type { OutboxEvent } from '../item/outbox-event.ts';
import type { Runtime } from '../runtime.ts';
import { ALWAYS } from '../settings.ts';
import type { Publish } from './publisher.ts';

/** Runtime of rules whose changes are published. */
export type Announcing = Runtime & { readonly publish: Publish };

/** The event of a change, to be created for the account as it is written. */
export interface Announcement {
  readonly publish: Publish;
  readonly of: (account: Account) => OutboxEvent;
  /** Attributes that the event reports, so they must be as they were read. */
  readonly expected: (account: Account) => object;
}

/** A change that an actor makes now, with an ID of its own, which its event has too. */
export const changeBy = ({ now, uuid }: Runtime, { by, requestId }: Actor): Change => ({
  id: uuid(),
  at: now(),
  by,
  requestId,
});

/** The event of a change; undefined if the instance does not publish this kind of event. */
export function announce<Facts>(
  { publish, settings }: Announcing,
  kind: AccountEvent<Facts>,
  change: Change,
  facts: Facts,
): Announcement | undefined {
  if (![...ALWAYS, ...settings.Events].includes(kind.type)) return undefined;
  return {
    publish,
    of: (account) => accountEvent(kind, account, change, facts),
    expected: (account) => usedBy(kind, account),
  };
}
