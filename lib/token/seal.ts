import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { MadeToken } from '../item/made-token.ts';

/** Values that identify a repetition of a request. */
export interface Repeatable {
  /** `Idempotency-Key` of the request. */
  readonly key: string;
  /** Credential of the request, without its scheme. */
  readonly credential: string;
}

type Sealed = Pick<MadeToken, 'sealed' | 'salt' | 'tag'>;

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;

/** Key and nonce, of 256 and 96 bits (RFC 5869). The salt is used once, and so is the pair. */
function derive({ key, credential }: Repeatable, salt: Uint8Array) {
  const bytes = Buffer.from(hkdfSync('sha256', credential, salt, `token ${key}`, KEY_BYTES + IV_BYTES));
  return [bytes.subarray(0, KEY_BYTES), bytes.subarray(KEY_BYTES)] as const;
}

/**
 * Encrypts the secret of a token with the credential of the request that creates it. The credential is an API token of
 * 178 bits or a signed session, and is not stored: the table alone is not enough to decrypt the secret.
 *
 * @param random a cryptographically secure source of bytes
 */
export function seal(secret: string, repeatable: Repeatable, random: (bytes: number) => Uint8Array): Sealed {
  const salt = Buffer.from(random(32));
  const cipher = createCipheriv(CIPHER, ...derive(repeatable, salt));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  const texts = [sealed, salt, cipher.getAuthTag()].map((bytes) => bytes.toString('base64url'));
  const [text, salted, tag] = texts as [string, string, string];
  return { sealed: text, salt: salted, tag };
}

/** Decrypts a secret; undefined for another key or credential. */
export function unseal({ sealed, salt, tag }: Sealed, repeatable: Repeatable): string | undefined {
  const decipher = createDecipheriv(CIPHER, ...derive(repeatable, Buffer.from(salt, 'base64url')));
  decipher.setAuthTag(Buffer.from(tag, 'base64url'));
  try {
    return decipher.update(sealed, 'base64url', 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
