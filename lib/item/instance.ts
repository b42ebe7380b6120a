import type { JWK } from 'jose';

/** A public key that verifies session tokens: after retirement until `expires_at`, after revocation never. */
export interface PublicKeyItem {
  readonly jwk: JWK & { readonly kid: string };
  /** Seconds since the epoch; absent while the key may sign, 0 once it is revoked. */
  readonly expires_at?: number;
  /** Seconds since the epoch; absent from keys of earlier versions. */
  readonly published_at?: number;
  /** Seconds since the epoch. The item stays, so that nothing publishes the key again. */
  readonly revoked_at?: number;
  /** ARN of the secret with the private key, and its version; absent from keys of earlier versions. */
  readonly secret_id?: string;
  readonly secret_version?: string;
}

/** Secret that signs cursors or challenges; created by its first use, never changed. */
export interface TableSecret {
  /** 256 bits in base64url. */
  readonly secret: string;
}

/** Tells whether a key is the erasure key of the table; written before the first hash is stored. */
export interface ErasureKeyCheck {
  /** HMAC of a fixed text by the key. */
  readonly key_check: string;
}

/** Highest cost of any stored hash of each kind, apart from the bcrypt cost in the settings. */
export interface PasswordCost {
  /** Cost of bcrypt hashes of this service. */
  readonly cost: number;
  /** Cost of imported bcrypt hashes. */
  readonly imported?: number;
  /** Rounds of imported PBKDF2 hashes, by their HMAC. */
  readonly sha1?: number;
  readonly sha256?: number;
  readonly sha512?: number;
}

/** One shard of a counter. */
export interface Counter {
  readonly SK: string;
  readonly n: number;
}

/** Counter of accounts last active on a UTC date: `active:2026-11-20`. */
export type DayCounter = `active:${string}`;

/** Counter of accounts whose lockout ends in a step of 10 s since the epoch: `until:176363640`. */
export type LockoutCounter = `until:${number}`;

/** One slice of the counters that many accounts change at the same time. */
export type Slice = Readonly<Record<DayCounter | LockoutCounter, number>>;
