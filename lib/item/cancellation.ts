/** An account that is cancelled, by the time of it: whoever has missed its event finds it here. */
export interface Cancellation {
  /** As created. */
  readonly username: string;
  readonly cancelled_at: string;
}
