/** A one-time code that sets the password of an account; a later one replaces it. */
export interface OneTimeCode {
  readonly sha256: string;
  /** End, in milliseconds since the epoch; from then on it is refused. */
  readonly expires_at: number;
  /** Time at which DynamoDB may remove the item, in seconds since the epoch. */
  readonly ttl: number;
}
