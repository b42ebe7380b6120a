/** `source` of every event of this service. */
export const EVENT_SOURCE = 'core.account';

/** An event as subscribers receive it. */
export interface OutboxEvent<Detail = unknown> {
  /** Stable over redeliveries; also `detail.id`. Of version 7, so the outbox is sorted by age. */
  readonly id: string;
  readonly detailType: string;
  readonly detail: Detail;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** What became of the sweeps that could not publish an event: nothing of it where none has tried. */
export interface Trials {
  /** How many sweeps have failed to publish it. */
  readonly attempts?: number;
  /** What the bus said last. */
  readonly lastError?: string;
  /** No sweep tries before; in milliseconds since the epoch. */
  readonly nextAttemptAt?: number;
  /** Since when no sweep tries any more; in milliseconds since the epoch. */
  readonly setAsideAt?: number;
}

/** An event as it waits in the outbox: its detail is JSON text. */
export type PendingEvent = OutboxEvent<string> & Trials;
