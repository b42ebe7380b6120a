/** Entry of a cancelled account, by time, for subscribers that have missed its event. */
export interface Cancellation {
  /** Username as created. */
  readonly username: string;
  readonly cancelled_at: string;
}
