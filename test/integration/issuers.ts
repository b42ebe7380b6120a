import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { FORMS, type TokenClaims } from '#infra/local/issuer/forms';

const ISSUER = 'https://token.actions.githubusercontent.com';

/** Public key of RFC 7517, appendix A.1. */
const KEY = {
  ...{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: 'one' },
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
};

/** The private key to it, of appendix A.2. */
const PRIVATE_KEY = { ...KEY, d: '870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE' };

/** `Settings:Issuers` of an instance on which the samples succeed; nothing fetches its keys. */
export const ISSUERS = JSON.stringify([{ name: 'github', issuer: ISSUER, jwks: { keys: [KEY] } }]);

/**
 * The token of a job of GitHub that runs now, signed by the key above, which all targets of the tests trust.
 *
 * @param given claims that replace those of the example
 */
export async function tokenOfJob(audience: string, given: TokenClaims = {}): Promise<string> {
  const { claims, seconds } = FORMS.github;
  const iat = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...claims(given), jti: randomUUID() })
    .setProtectedHeader({ alg: KEY.alg, kid: KEY.kid, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setIssuedAt(iat)
    .setExpirationTime(iat + seconds)
    .sign(await importJWK(PRIVATE_KEY));
}
