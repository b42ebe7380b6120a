/** How long a verifier outside of the service may keep the published keys (RFC 9111). */
export const JWKS_MAX_AGE_SECONDS = 300;

/** The same as a header; a template in the contract itself would keep that contract in every bundle. */
export const JWKS_CACHE_CONTROL = `public, max-age=${JWKS_MAX_AGE_SECONDS}`;

/** How far clocks may be apart, the time of an answer on its way included. */
const SKEW_SECONDS = 60;

/** A new key stands among the published ones for this long before it signs: then every verifier has it. */
export const LEAD_MS = (JWKS_MAX_AGE_SECONDS + SKEW_SECONDS) * 1000;

/** A private key is held this long, so a rotation takes at most this long to reach every execution environment. */
export const HELD_MS = 5 * 60_000;

/**
 * What was read of the public keys is read again once it is this old, to verify or to sign: so long after its
 * revocation no function takes a key for good any more.
 */
export const CHECK_MS = 5000;
