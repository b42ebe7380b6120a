import type { Runtime } from '../runtime.ts';
import { keySet } from '../session/key-set.ts';
import { SESSION_KEYS } from '../session/key-use.ts';
import type { PublicKey } from '../session/session-token.ts';

/** The public members of an elliptic-curve signing key (RFC 7517, RFC 7518 section 6.2.1). */
const published = ({ x = '', y = '', kid }: PublicKey) => ({
  kty: 'EC' as const,
  crv: 'P-256' as const,
  x,
  y,
  kid,
  alg: 'ES256' as const,
  use: 'sig' as const,
});

/** The keys of sessions. */
export const publicKeySet = (runtime: Pick<Runtime, 'table' | 'now'>) =>
  keySet(runtime, SESSION_KEYS, published);
