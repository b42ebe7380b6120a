import type { CredentialLimits } from './token.ts';

/** A value of JSON that a claim must equal. */
export type ClaimValue = string | number | boolean | null;

/** Claims that a token must have: values, or objects of them, up to two levels deep. */
export type Claims = {
  readonly [name: string]: ClaimValue | Claims;
};

/**
 * A trust: whoever presents a token of its issuer that meets it, signs in as its machine. No attribute has the name of one
 * of an account: DynamoDB may judge a transaction by the attributes of all its items together.
 */
export interface TrustItem extends Pick<CredentialLimits, 'access' | 'addresses'> {
  /** Username of the machine, as created. */
  readonly trust_owner: string;
  readonly trust_name: string;
  /** Sessions belong to this ID: a trust that is made anew under its name gets another one. */
  readonly trust_id: string;
  /** Name of the issuer in `Settings:Issuers`. */
  readonly trust_issuer: string;
  /** Exact, or a prefix that ends in `*`. */
  readonly trust_subject: string;
  readonly trust_claims?: Claims;
  readonly trust_roles?: readonly string[];
  /** Lifetime of its sessions, in minutes. */
  readonly max_minutes: number;
  /** ISO 8601, UTC, ends in Z. */
  readonly trust_created_at: string;
  readonly trust_created_by: string;
  /** Only of a deleted trust whose item is not removed yet: when DynamoDB may remove it, in seconds since the epoch. */
  readonly ttl?: number;
}

/** A token of an issuer that was used once for good, until it would have expired. */
export interface SpentGrant {
  /** Seconds since the epoch. */
  readonly ttl: number;
}

/** The limits of the sessions of a trust. */
export const trustLimits = ({ access, addresses, trust_roles: roles }: TrustItem): CredentialLimits => ({
  ...(access && { access }),
  ...(roles && { roles }),
  ...(addresses && { addresses }),
});
