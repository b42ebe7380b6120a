/** The token that a request with an `Idempotency-Key` has created; expires. */
export interface MadeToken {
  /** Username of the owner, as created. */
  readonly username: string;
  readonly name: string;
  /** SHA-256 of the token's secret. */
  readonly sha256: string;
  /** SHA-256 of the requested terms and the limits of the credential; absent without any. */
  readonly terms?: string;
  /** The secret, encrypted with the `Idempotency-Key` of the request; base64url, as are salt and tag. */
  readonly sealed: string;
  readonly salt: string;
  readonly tag: string;
  /** Expiry; in seconds since the epoch. */
  readonly ttl: number;
}
