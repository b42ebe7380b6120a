/** Entry of a cancelled account, by time, for subscribers that have missed its event. */
export interface Cancellation {
  /** Username as created; no attribute of an account has this name. */
  readonly cancelled_username?: string;
  /** The same in earlier versions. */
  readonly username?: string;
  readonly cancelled_at: string;
  /** Time from which DynamoDB removes the item, in seconds since the epoch; absent until a reactivation. */
  readonly ttl?: number;
}
