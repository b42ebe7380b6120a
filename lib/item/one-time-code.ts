/**
 * A one-time code that sets the password of an account; a later one replaces it. It works while the security stamp of the
 * account, and the `code_generation` of its maker, are the recorded ones. Items of earlier versions have only `sha256`,
 * `expires_at` and `ttl`: their codes no longer work, since nothing shows which remedies came after them.
 */
export interface OneTimeCode {
  readonly code_sha256: string;
  /** ISO 8601, UTC, ends in Z. */
  readonly code_created_at: string;
  /** Username of the account that made it, as created; or an operator, such as `operator:ada`. */
  readonly code_created_by: string;
  /** Security stamp of the account whose password it sets. */
  readonly code_stamp: string;
  /** The `code_generation` of the account that made it, 0 without one; absent for operators. */
  readonly code_maker_generation?: number;
  /** Whether its use ends all passkeys of the account; absent otherwise. */
  readonly code_ends_passkeys?: true;
  /** End, in milliseconds since the epoch; from then on it is refused. */
  readonly expires_at: number;
  /** Time at which DynamoDB may remove the item, in seconds since the epoch. */
  readonly ttl: number;
}
