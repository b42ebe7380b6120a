/** The account or token that a request with an `Idempotency-Key` has created; expires. */
export interface Made {
  /** Username of the account, or of the owner of the token; no attribute of an account has this name. */
  readonly made_for?: string;
  /** The same in earlier versions. */
  readonly username?: string;
  /** Name of the token; empty for an account. */
  readonly name: string;
  /** SHA-256 of everything else that decided the request; absent without any. */
  readonly terms?: string | undefined;
  /** The secret of the answer, encrypted with the `Idempotency-Key` of the request; base64url, as are salt and tag. */
  readonly sealed: string;
  readonly salt: string;
  readonly tag: string;
  /** Expiry; in seconds since the epoch. */
  readonly ttl: number;
}
