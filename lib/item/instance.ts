import type { JWK } from 'jose';

/** A public key that verifies session tokens. Once retired it does so until `expires_at`, once revoked no more. */
export interface PublicKeyItem {
  readonly jwk: JWK & { readonly kid: string };
  /** Seconds since the epoch; absent while the key may sign, 0 once it is revoked. */
  readonly expires_at?: number;
  /** Seconds since the epoch; absent of keys that were made before this was noted. */
  readonly published_at?: number;
  /** Seconds since the epoch. The item stays, so that nothing publishes the key again. */
  readonly revoked_at?: number;
  /** ARN of the secret that holds the private half, and the version of it; absent as `published_at` is. */
  readonly secret_id?: string;
  readonly secret_version?: string;
}

/** The secret that signs cursors; made with the first signing key, never changed. */
export interface CursorSecret {
  /** 256 bits in base64url. */
  readonly secret: string;
}

/** The dearest bcrypt cost that the hash of a password may have, besides the one that is set. */
export interface PasswordCost {
  readonly cost: number;
}

/** One shard of a counter. */
export interface Counter {
  readonly SK: string;
  readonly n: number;
}

/** The accounts of a slice that were last active on a UTC date: `active:2026-11-20`. */
export type DayCounter = `active:${string}`;

/** The accounts of a slice whose lockout ends within 10 s, by the first of them since the epoch, in tens: `until:176363640`. */
export type LockoutCounter = `until:${number}`;

/** One slice of the counters that many accounts move at the same moment. */
export type Slice = Readonly<Record<DayCounter | LockoutCounter, number>>;
