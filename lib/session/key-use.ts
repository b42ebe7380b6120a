import type { PublicKeyItem } from '../item/instance.ts';
import { allPublicKeys, type Key, publicKeyItemKey, type Range } from '../table/keys.ts';
import { LEAD_MS } from './lead.ts';
import { MAX_AGE_SECONDS } from './session-token.ts';

/** What the keys of a secret sign, and how verifiers learn of them. */
export interface KeyUse {
  readonly signs: 'sessions' | 'resources';
  readonly algorithm: 'ES256' | 'RS256';
  /** The public halves in the table. */
  readonly all: Range<PublicKeyItem>;
  readonly itemKey: (kid: string) => Key<PublicKeyItem>;
  /** Longest lifetime of a token. */
  readonly maxAgeSeconds: number;
  /** How long a key is published before it signs, so that every verifier has it. */
  readonly leadMs: number;
  /**
   * Whether the current key of the secret is the successor, which waits for the next rotation or for a revocation; the first
   * rotation then creates two keys. Otherwise it signs as soon as every verifier has it.
   */
  readonly hasSuccessor: boolean;
}

/** Keys of session tokens. */
export const SESSION_KEYS: KeyUse = {
  signs: 'sessions',
  algorithm: 'ES256',
  all: allPublicKeys,
  itemKey: publicKeyItemKey,
  maxAgeSeconds: MAX_AGE_SECONDS,
  leadMs: LEAD_MS,
  hasSuccessor: false,
};
