/** How long a verifier outside the service may cache the published keys (RFC 9111). */
export const JWKS_MAX_AGE_SECONDS = 300;

/** Header for {@link JWKS_MAX_AGE_SECONDS}; a template in the contract would keep that contract in every bundle. */
export const JWKS_CACHE_CONTROL = `public, max-age=${JWKS_MAX_AGE_SECONDS}`;

/** How far clocks may differ, including the time that an answer needs to arrive. */
const SKEW_SECONDS = 60;

/** How long a new key is published before it signs, so that every verifier has it. */
export const LEAD_MS = (JWKS_MAX_AGE_SECONDS + SKEW_SECONDS) * 1000;

/**
 * How long gateways cache keys, whatever the headers say.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export const GATEWAY_CACHE_SECONDS = 2 * 3600;

/** The same for a key of tokens for other services, with ten minutes for a slow fetch. */
export const RESOURCE_LEAD_MS = (GATEWAY_CACHE_SECONDS + 600) * 1000;

/** How long a private key is cached: a rotation reaches every execution environment within this time. */
export const HELD_MS = 5 * 60_000;

/**
 * How long public keys are cached before they are read again to verify or to sign. This long after a revocation, every
 * function refuses the key.
 */
export const CHECK_MS = 5000;
