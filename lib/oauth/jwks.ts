import { RESOURCE_KEYS } from '../resource/key-use.ts';
import type { Runtime } from '../runtime.ts';
import { keySet } from '../session/key-set.ts';
import type { PublicKey } from '../session/session-token.ts';

/** The public members of an RSA key (RFC 7517, RFC 7518 section 6.3.1). */
const published = ({ n = '', e = '', kid }: PublicKey) => ({
  kty: 'RSA' as const,
  n,
  e,
  kid,
  alg: 'RS256' as const,
  use: 'sig' as const,
});

/** The keys of tokens for other services. */
export const resourceKeySet = (runtime: Pick<Runtime, 'table' | 'now'>) =>
  keySet(runtime, RESOURCE_KEYS, published);
