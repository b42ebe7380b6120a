/** The keys of an issuer, as they were fetched last. */
export interface IssuerKeys {
  /** Identifier of the issuer, as in its tokens. */
  readonly issuer_url: string;
  /** The usable keys as a JSON Web Key Set (RFC 7517), in JSON; absent before the first fetch that succeeded. */
  readonly jwks?: string;
  /** Time of the last fetch that succeeded, in milliseconds since the epoch. */
  readonly fetched_at?: number;
  /** Time at which a function last took the right to fetch, in milliseconds since the epoch. */
  readonly asked_at?: number;
  /** Why the last fetch failed; absent after one that succeeded. */
  readonly fault?: string;
}
