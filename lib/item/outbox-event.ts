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

/** An event as it waits in the outbox: its detail is JSON text. */
export type PendingEvent = OutboxEvent<string>;
