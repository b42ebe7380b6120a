import { forbidden } from '../failure/failure.ts';
import type { CredentialLimits, limitsOf } from '../item/token.ts';
import { isBlockWithin } from '../network/addresses.ts';

/** Limits of a credential; an absent or undefined one limits nothing. */
type Limits = Parameters<typeof limitsOf>[0];

/** The credential of a request; operators have none. */
export interface Requester {
  readonly limits?: CredentialLimits;
  /** ID of the secret of the API token, or of the one that logged in the session. */
  readonly secret?: string | undefined;
}

/**
 * Refuses a token that is wider than the credential.
 *
 * @param own limits of the credential
 * @param end field of the error about the end
 * @throws Failure `forbidden`
 */
export function checkWithin(token: Limits, own: CredentialLimits, end = 'expires_at'): void {
  const { access, roles, addresses, expires_at = Number.POSITIVE_INFINITY } = token;
  const { roles: ownRoles, addresses: blocks } = own;
  if (own.access && access !== own.access) throw beyond('access');
  if (ownRoles && !roles?.every((role) => ownRoles.includes(role))) throw beyond('roles');
  if (blocks && !addresses?.every((it) => isBlockWithin(blocks, it))) throw beyond('addresses');
  if (own.expires_at !== undefined && expires_at > own.expires_at) throw beyond(end);
}

const beyond = (field: string) => forbidden(field, 'Exceeds the limits of the credential');

/** The limits of what a credential may do: its end is none. */
export const withoutEnd = ({ expires_at: _, ...others }: CredentialLimits) => others;

/** Whether a credential may do less than its account, and end less; an end alone is no such limit. */
export const isNarrow = ({ access, roles, addresses }: CredentialLimits) =>
  access !== undefined || roles !== undefined || addresses !== undefined;

/**
 * Refuses to end a credential that is wider than the one that asks. A later end does not make it wider.
 *
 * @param own limits of the credential that asks
 * @throws Failure `forbidden`
 */
export function checkMayEnd(ended: Limits, own: CredentialLimits): void {
  checkWithin(ended, withoutEnd(own));
}
