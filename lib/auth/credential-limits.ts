import type { Contract } from '../contract/contract.ts';
import { Failure, forbidden } from '../failure/failure.ts';
import type { CredentialLimits } from '../item/token.ts';
import { isWithin } from '../network/addresses.ts';
import type { VerifiedSession } from '../session/session-token.ts';

/**
 * Refuses a credential after its end, or from an address outside its blocks, like an unknown one.
 *
 * @param address source address of the request; undefined skips the check of addresses
 * @param now in milliseconds since the epoch
 * @throws Failure `unauthenticated`
 */
export function checkLimits(
  { expires_at, addresses }: CredentialLimits,
  address: string | undefined,
  now: number,
) {
  if (expires_at !== undefined && now >= expires_at)
    throw new Failure('unauthenticated', { cause: 'token_expired' });
  if (addresses !== undefined && address !== undefined && !isWithin(addresses, address))
    throw new Failure('unauthenticated', { cause: 'wrong_address' });
}

/**
 * Refuses a credential that may only read on an endpoint that may change something, unless it may end itself there.
 *
 * @throws Failure `forbidden`
 */
export function checkAccess(
  limits: CredentialLimits,
  { unsafe, endsReaders }: Contract,
  method: string,
): void {
  if ((method !== 'GET' || unsafe === true) && !endsReaders) checkFullAccess(limits);
}

/** @throws Failure `forbidden` for a credential that may only read */
export function checkFullAccess({ access }: CredentialLimits): void {
  if (access === 'read') throw forbidden('access', 'Requires a credential with full access');
}

/**
 * Refuses an API token, and a session that one or a trust has begun.
 *
 * @param session of the request; undefined for an API token
 * @throws Failure `forbidden`
 */
export function checkOwnSession(
  session: VerifiedSession | undefined,
): asserts session is VerifiedSession & { readonly tid?: undefined; readonly fid?: undefined } {
  if (!session || (session.tid ?? session.fid) !== undefined)
    throw forbidden('credential', 'Must be a session that began without an API token or a trust');
}

/**
 * Refuses a session that a trust has begun where something longer-lived would come of it.
 *
 * @param session of the request; undefined for an API token
 * @throws Failure `forbidden`
 */
export function checkNoTrust(session: VerifiedSession | undefined): void {
  if (session?.fid !== undefined)
    throw forbidden('credential', 'Must not be a session of a trust: it creates and rotates no credential');
}
