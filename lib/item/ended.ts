/** The end of a session, or of all sessions of a secret, that its account has no room for. */
export interface EndedItem {
  /** Time from which it is refused, in milliseconds since the epoch. */
  readonly ended_at: number;
  /** Time at which DynamoDB may remove the item, in seconds since the epoch: its session tokens have expired. */
  readonly ttl: number;
}
