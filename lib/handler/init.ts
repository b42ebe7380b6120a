import { bestEffortUntil } from '../async/best-effort.ts';
import type { CachedPublicKeys } from '../session/public-keys.ts';

/** Limit of {@link initialise}, in milliseconds: that of a connection to AWS, which takes some milliseconds. */
export const INIT_MS = 1000;

/**
 * Reads the public keys while the function initialises: the first request then finds the keys, and an open connection to
 * the table. The time of this phase does not depend on the memory of the function (`infra/cost/README.md`), unlike that of
 * a handshake of TLS in a request.
 *
 * Lambda may freeze the environment after this phase for any time, and a read would resume on a dead connection. So the
 * phase lasts until the read has ended, or has been ended after {@link INIT_MS}. A failure has no effect: the first
 * request reads the keys itself, and reports what it finds.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
export async function initialise({ refresh }: Pick<CachedPublicKeys, 'refresh'>): Promise<void> {
  const signal = AbortSignal.timeout(INIT_MS);
  // An attempt ends with the signal, but the pause before the next one does not.
  await bestEffortUntil(signal, refresh(signal));
}
