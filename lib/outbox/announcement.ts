import type * as z from 'zod/mini';
import { type AccountEvent, type Actor, accountEvent, type Change, toldBy } from '../event/account-event.ts';
import type { Account } from '../item/account.ts';
import type { OutboxEvent } from '../item/outbox-event.ts';
import type { Runtime } from '../runtime.ts';
import { ALWAYS } from '../settings.ts';
import type { Publish } from './publisher.ts';

/** What rules work with whose changes others hear of. */
export type Announcing = Runtime & { readonly publish: Publish };

/** The event of a change, yet to be made of the account as it is written. */
export interface Announcement {
  readonly publish: Publish;
  readonly of: (account: Account) => OutboxEvent;
  /** What must be as it was read, since the event tells it. */
  readonly expected: (account: Account) => object;
}

/** A change that is made now. */
export const changeBy = ({ now, uuid }: Runtime, { by, requestId }: Actor): Change => ({
  id: uuid(),
  at: now(),
  by,
  requestId,
});

/** The event of a change; undefined where the instance does not publish this kind of event. */
export function announce<Facts>(
  { publish, settings }: Announcing,
  kind: AccountEvent<z.ZodMiniObject, Facts>,
  change: Change,
  facts: Facts,
): Announcement | undefined {
  if (![...ALWAYS, ...settings.Events].includes(kind.type)) return undefined;
  return {
    publish,
    of: (account) => accountEvent(kind, account, change, facts),
    expected: (account) => toldBy(kind, account),
  };
}
