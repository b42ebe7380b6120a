import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Made } from '../item/made.ts';

/** Values that identify a repetition of a request. */
export interface Identity {
  /** `Idempotency-Key` of the request. */
  readonly key: string;
  /** Username of the caller. */
  readonly by: string;
}

type Sealed = Pick<Made, 'sealed' | 'salt' | 'tag'>;

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;

/** Key and nonce, of 256 and 96 bits (RFC 5869). The salt is used once, and so is the pair. */
function derive({ key, by }: Identity, salt: Uint8Array) {
  const bytes = Buffer.from(hkdfSync('sha256', key, salt, `token by ${by}`, KEY_BYTES + IV_BYTES));
  return [bytes.subarray(0, KEY_BYTES), bytes.subarray(KEY_BYTES)] as const;
}

/**
 * Encrypts the secret of an answer with the `Idempotency-Key` of its request, for the account of the caller. The table
 * contains the SHA-256 of that key only: a random key keeps the secret from a reader of the table.
 *
 * @param random a cryptographically secure source of bytes
 */
export function seal(secret: string, identity: Identity, random: (bytes: number) => Uint8Array): Sealed {
  const salt = Buffer.from(random(32));
  const cipher = createCipheriv(CIPHER, ...derive(identity, salt));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  const text = (bytes: Buffer) => bytes.toString('base64url');
  return { sealed: text(sealed), salt: text(salt), tag: text(cipher.getAuthTag()) };
}

/** Decrypts a secret; undefined for another key or account, and for a changed text. */
export function unseal({ sealed, salt, tag }: Sealed, identity: Identity): string | undefined {
  const decipher = createDecipheriv(CIPHER, ...derive(identity, Buffer.from(salt, 'base64url')));
  try {
    decipher.setAuthTag(Buffer.from(tag, 'base64url'));
    return decipher.update(sealed, 'base64url', 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
