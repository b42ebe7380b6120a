import type { Contract } from '../contract/contract.ts';

/** What contracts of metadata at well-known URIs (RFC 8615) have in common. */
export const WELL_KNOWN = {
  method: 'GET',
  access: 'public',
  needs: [],
  revalidated: true,
  throttle: { rate: 100, burst: 200 },
  // Pages of every origin may read them: they are the same for everyone. The gateway replaces this once it has origins of its own.
  headers: { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' },
} as const satisfies Partial<Contract>;
