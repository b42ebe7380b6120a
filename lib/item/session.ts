import type { CredentialLimits } from './token.ts';

/** Record of a session, for lists only: its token alone decides whether it is valid. The sort key is its ID. */
export interface SessionRecord {
  /** ISO 8601, UTC, ends in Z. */
  readonly created_at: string;
  readonly address: string;
  readonly user_agent: string | null;
  /** Name of the token that logged in, `passkey:<name>` for a passkey; null for a password. */
  readonly credential: string | null;
  /** ID of the secret of that token. */
  readonly secret?: string;
  /** Limits of that token; absent without any, and in records of earlier versions. */
  readonly limits?: CredentialLimits;
  /** Generation of that token; absent for 0. */
  readonly of_generation?: number;
  /** ID of the passkey that opened it. */
  readonly passkey?: string;
  /** ID of the trust that opened it. */
  readonly trust?: string;
  /** ID of the key that has signed it; absent in records of earlier versions. */
  readonly kid?: string;
  /** Security stamp of the account at the login. */
  readonly stamp: string;
  /** End, in seconds since the epoch; DynamoDB then removes the item. */
  readonly ttl: number;
}
