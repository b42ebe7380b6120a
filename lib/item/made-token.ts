/** What a request with an `Idempotency-Key` has made; expires. */
export interface MadeToken {
  /** Owner of the token, as created. */
  readonly username: string;
  readonly name: string;
  /** SHA-256 of the token's secret. */
  readonly sha256: string;
  /** The secret, encrypted with the credential of the request: in base64url, as are its salt and its tag. */
  readonly sealed: string;
  readonly salt: string;
  readonly tag: string;
  /** When it expires; in seconds since the epoch. */
  readonly ttl: number;
}
