/**
 * A passkey (WebAuthn level 3), under the hash of its credential ID. It is valid while its account lists it. No attribute
 * has the name of one of an account: DynamoDB may judge a transaction by the attributes of all its items together.
 */
export interface Passkey {
  /** Username of the owner, as created. */
  readonly passkey_owner: string;
  readonly passkey_name: string;
  /** Credential ID in base64url. */
  readonly credential_id: string;
  /** Public key as COSE, in base64url. */
  readonly public_key: string;
  /** Signature counter of the last assertion; 0 for authenticators without one. */
  readonly counter: number;
  readonly transports: readonly string[];
  /** Whether it can be copied to other devices. */
  readonly backup_eligible: boolean;
  /** Whether it was copied at the last assertion. */
  readonly backed_up: boolean;
  /** RP ID that it belongs to. */
  readonly rp_id: string;
  /** ISO 8601, UTC, ends in Z. */
  readonly passkey_created_at: string;
  /** ISO 8601, UTC, ends in Z; absent until the first assertion. */
  readonly passkey_used_at?: string;
  /** Time of its removal, in seconds since the epoch: all other attributes are gone, and DynamoDB may remove the item. */
  readonly ttl?: number;
}

/** A challenge that was used, until it would have expired. */
export interface SpentChallenge {
  /** Seconds since the epoch. */
  readonly ttl: number;
}
