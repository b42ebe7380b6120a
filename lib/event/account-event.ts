import type { Account } from '../item/account.ts';
import type { OutboxEvent } from '../item/outbox-event.ts';

/** One change of an account: what every event of it tells. */
export interface Change {
  /** Of the event: a UUID of version 7. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Username of who made it. */
  readonly by: string;
  readonly requestId: string;
}

/** A kind of event of accounts: what is its own of the detail. */
export interface AccountEvent {
  /** `detail-type`, and the name of the business object hook. */
  readonly type: string;
  /** Of the form of the detail: what is added keeps it, everything else is a new one. */
  readonly version: string;
  /** @param account as it is written */
  readonly detail: (account: Account, change: Change) => object;
}

/** The event of one change, with what all events of accounts have in common. */
export function accountEvent(
  { type, version, detail }: AccountEvent,
  account: Account,
  change: Change,
): OutboxEvent {
  const { id, at, requestId } = change;
  const app = account.user_app_name;
  return {
    id,
    detailType: type,
    createdAt: at,
    detail: {
      version,
      id,
      hook: `[${app}].[${type}]`,
      app,
      username: account.username,
      userid: account.id,
      ...detail(account, change),
      requestID: requestId,
    },
  };
}

/** What an event says of an account besides its identity: it is committed only if that still is so. */
export const EVENT_FIELDS = ['user_app_name', 'roles', 'teams'] as const satisfies (keyof Account)[];
