import type { EventType } from '../instance/settings.ts';

/** `source` of every event of this service. */
export const EVENT_SOURCE = 'core.account';

/** An event as subscribers receive it. */
export interface OutboxEvent<Detail = unknown> {
  /** UUID version 7, the same in every delivery and in `detail.id`. It sorts the outbox by age. */
  readonly id: string;
  readonly detailType: string;
  readonly detail: Detail;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Failed attempts to publish an event; absent before the first. */
export interface Trials {
  /** Number of sweeps that failed to publish it. */
  readonly attempts?: number;
  /** Last error of the bus. */
  readonly lastError?: string;
  /** Time of the next attempt; in milliseconds since the epoch. */
  readonly nextAttemptAt?: number;
  /** Time at which it was dead-lettered; in milliseconds since the epoch. */
  readonly setAsideAt?: number;
}

/** An event as earlier versions stored it, with its detail as JSON text. */
type FormerEvent = Pick<OutboxEvent<string>, 'id' | 'detailType' | 'detail'>;

/**
 * An event in the outbox. The name of the attribute that holds its detail, as JSON text, is its type: a role may commit
 * exactly the types of events whose attributes it may name.
 */
export type PendingEvent = Pick<OutboxEvent, 'createdAt'> &
  Readonly<Partial<Record<EventType, string>>> &
  Trials &
  Partial<FormerEvent>;
