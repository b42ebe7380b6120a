import { inParallel } from '../async/in-parallel.ts';
import { log } from '../log/log.ts';
import type { Runtime } from '../runtime.ts';
import { refreshKeys } from './issuer-keys.ts';
import type { Issuer } from './issuers.ts';

/** Issuers that are asked at the same time: all of them, each for its longest time, end before the job has to. */
const AT_ONCE = 10;

/**
 * Fetches the keys of all issuers without pasted ones. One that fails does not keep the others from it, and has its line in
 * the log.
 */
export async function refreshAll(runtime: Pick<Runtime, 'table' | 'now'>, issuers: readonly Issuer[]) {
  const fetched = issuers.filter(({ jwks }) => !jwks);
  const all = await inParallel(fetched, (issuer) => refreshKeys(runtime, issuer), AT_ONCE);
  const count = (outcome: (typeof all)[number]['outcome']) =>
    all.filter((one) => one.outcome === outcome).length;
  const result = { fetched: count('fetched'), failed: count('failed'), claimed: count('claimed') };
  log('info', { message: 'The keys of issuers were fetched', ...result });
  return result;
}
