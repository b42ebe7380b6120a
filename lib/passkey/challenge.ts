import { errors, jwtVerify, SignJWT } from 'jose';
import type { Cause } from '../failure/cause.ts';
import type { Account } from '../item/account.ts';
import type { Runtime } from '../runtime.ts';
import { challengeSecretKey, spentKey } from '../table/keys.ts';
import { findSecret, tableSecret } from '../table/secret.ts';
import { creating } from '../table/write.ts';

/** Header `typ`: no other token of the service is a challenge. */
const TYPE = 'challenge+jwt';
const ALGORITHM = 'HS256';

/** Validity of a challenge, in seconds. */
export const CHALLENGE_SECONDS = 300;

/** How much longer a spent challenge is kept: the clock of DynamoDB, which removes it, may be ahead. */
const MARGIN_SECONDS = 60;

/** What a challenge may be used for: a new passkey, or an assertion of one. */
export const PURPOSES = ['create', 'assert'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** A challenge whose signature is verified. */
export interface Challenge {
  readonly jti: string;
  /** ID of its account; absent if any account may answer it. */
  readonly sub?: string;
  /** End, in seconds since the epoch. */
  readonly exp: number;
}

/** Reads the secret that verifies challenges, once per execution environment. Only options create it. */
export const prepareChallenges = ({ table }: Pick<Runtime, 'table'>) => findSecret(table, challengeSecretKey);

const keyIn = (secret: string) => Buffer.from(secret, 'base64url');

/**
 * Creates a challenge, and stores nothing: a signed text with its purpose and its account.
 *
 * @param account that has to answer it; by default any account may
 */
export async function newChallenge(
  runtime: Pick<Runtime, 'table' | 'now' | 'uuid'>,
  purpose: Purpose,
  account?: Pick<Account, 'id'>,
): Promise<string> {
  const end = Math.floor(runtime.now() / 1000) + CHALLENGE_SECONDS;
  return new SignJWT({ purpose, ...(account && { sub: account.id }) })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setExpirationTime(end)
    .setJti(runtime.uuid())
    .sign(keyIn(await tableSecret(runtime.table, challengeSecretKey)));
}

/**
 * Verifies the challenge that a device has signed. Whether it was spent decides {@link spending}.
 *
 * @param signed the challenge in base64url, as in the client data of WebAuthn
 * @returns the challenge, or the cause of its refusal
 */
export async function openChallenge(
  runtime: Pick<Runtime, 'table' | 'now'>,
  purpose: Purpose,
  signed: string,
): Promise<Challenge | Cause> {
  const secret = await prepareChallenges(runtime);
  if (secret === undefined) return 'wrong_challenge';
  try {
    const { payload } = await jwtVerify<Challenge & { readonly purpose: Purpose }>(
      Buffer.from(signed, 'base64url').toString(),
      keyIn(secret),
      {
        algorithms: [ALGORITHM],
        typ: TYPE,
        requiredClaims: ['jti', 'exp'],
        currentDate: new Date(runtime.now()),
      },
    );
    return payload.purpose === purpose ? payload : 'wrong_challenge';
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'challenge_expired';
    if (error instanceof errors.JOSEError) return 'wrong_challenge';
    throw error;
  }
}

/**
 * The write that spends a challenge, on condition that it is not spent. It belongs into the transaction of what the
 * challenge permits, after the signature was verified: strangers can neither spend challenges of others nor fill the table.
 */
export const spending = ({ jti, exp }: Challenge) => creating(spentKey(jti), { ttl: exp + MARGIN_SECONDS });
