import type { JWK } from 'jose';

/** A public key that verifies session tokens. Once retired it does so until `expires_at`. */
export interface PublicKeyItem {
  readonly jwk: JWK & { readonly kid: string };
  /** Seconds since the epoch; absent while the key may sign. */
  readonly expires_at?: number;
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
