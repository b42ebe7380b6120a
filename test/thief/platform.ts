import { importJWK, type JWK, SignJWT } from 'jose';
import { type Issuer, issuersIn } from '#lib/trust/issuers';
import { newKeyPair } from '../unit/support/signing-keys.ts';
import type { Name } from './people.ts';

/** Name of the issuer whose tokens trusts accept, in `Settings:Issuers`. */
export const ISSUER = 'platform';

/** Names of trusts: of the machines from the beginning, and of those that a thief creates. */
export const TRUST = 'deploy';
export const OTHER_TRUST = 'x';

const AUDIENCE = 'accounts';
const HOUR_SECONDS = 3600;
const pair = await newKeyPair();
const privateKey = await importJWK(pair.privateJwk as JWK, 'ES256');

/** `Settings:Issuers` of every instance under attack. */
export const ISSUERS = JSON.stringify([
  {
    ...{ name: ISSUER, issuer: 'https://platform.example.com', audience: AUDIENCE },
    jwks: { keys: [pair.publicJwk] },
  },
]);

export const issuer = issuersIn(ISSUERS)[0] as Issuer;

/** The subject of a job: of a machine, or one that a thief runs on the same platform. */
export const subjectOf = (name: Name) => `job:${name}`;

/** A token that the platform gives a job, for an hour from a time in milliseconds since the epoch. */
export const platformToken = (name: Name, at: number): Promise<string> =>
  new SignJWT({
    ...{ iss: issuer.issuer, aud: AUDIENCE, sub: subjectOf(name), jti: `${name} at ${at}` },
    ...{ iat: at / 1000, exp: at / 1000 + HOUR_SECONDS },
  })
    .setProtectedHeader({ alg: 'ES256', kid: pair.publicJwk.kid })
    .sign(privateKey);
