import type { KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Cause } from '../failure/cause.ts';
import { Failure } from '../failure/failure.ts';
import { MAX_EXPIRE_HOURS } from '../instance/settings.ts';
import type { PublicKeyItem } from '../item/instance.ts';
import type { CredentialLimits } from '../item/token.ts';
import type { Runtime } from '../runtime.ts';

/** Header `typ` of session tokens (RFC 9068). */
const TYPE = 'at+jwt';
const ALGORITHM = 'ES256';
export const CLOCK_SKEW_SECONDS = 5;

/** Maximum age of a token, whatever its `exp`: the longest lifetime that the settings permit. */
export const MAX_AGE_SECONDS = MAX_EXPIRE_HOURS * 3600;

/** Claims that are texts and are not compared here. */
const TEXTS = ['sub', 'name', 'sst', 'jti'] as const;

/** Content of a session token: the account and its security stamp. Roles are read at each request. */
export interface Session {
  readonly sub: string;
  readonly name: string;
  readonly sst: string;
  /** ID of the secret of the API token that has logged in; absent after a password. */
  readonly tid?: string | undefined;
  /** Generation of that token; absent for 0. */
  readonly tgn?: number | undefined;
  /** ID of the trust that has opened it; absent otherwise. */
  readonly fid?: string | undefined;
  /** Limits of that token or trust; absent if it has none. */
  readonly limits?: CredentialLimits | undefined;
  /** How its account was authenticated (RFC 8176); absent from sessions of earlier versions. */
  readonly amr?: readonly string[] | undefined;
  /** Time of the assertion of a passkey, in seconds since the epoch; absent at level 1. */
  readonly auth_time?: number | undefined;
  /** ID of the enrolment of the passkey that has opened it; absent at level 1. */
  readonly pid?: string | undefined;
}

/** Values of `amr`: of a password, a one-time code, an API token, a token of an issuer, and a passkey whose user was verified. */
export const AMR = {
  password: ['pwd'],
  code: ['otp'],
  token: ['token'],
  trust: ['fed'],
  passkey: ['pop', 'user', 'mfa'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * Whether a time of a session is so many seconds ago at most, and no later than clocks differ.
 *
 * @param time in seconds since the epoch
 * @param now in milliseconds since the epoch
 */
export function isRecent(time: number, seconds: number, now: number): boolean {
  const age = now / 1000 - time;
  return age <= seconds && age >= -CLOCK_SKEW_SECONDS;
}

type Claims = Session & Pick<VerifiedSession, 'jti' | 'iat' | 'nbf' | 'exp'>;

/** A session whose token is verified, with its key and its times in seconds since the epoch. */
export interface VerifiedSession extends Session {
  readonly jti: string;
  readonly kid: string;
  readonly key: PublicKey;
  readonly iat: number;
  readonly nbf: number;
  readonly exp: number;
}

/** A private key and the ID of its public half. */
export interface SigningKey {
  readonly kid: string;
  readonly key: KeyObject;
}

/** A public key as a JSON Web Key. */
export type PublicKey = PublicKeyItem['jwk'];

/** Finds the public key of a key ID, undefined when the instance has none. */
export type FindPublicKey = (kid: string) => Promise<PublicKey | undefined>;

/** Issuer and audience (RFC 7519): `urn:core-account:<instance>`, independent of the host of the request. */
const issuerOf = (runtime: Pick<Runtime, 'instanceName'>) => `urn:core-account:${runtime.instanceName}`;

/** Signs a session token; times are in seconds. `jti` is its ID. */
export async function signSession(
  runtime: Pick<Runtime, 'instanceName' | 'uuid'>,
  { kid, key }: SigningKey,
  session: Session,
  issuedAt: number,
  lifetime: number,
  jti = runtime.uuid(),
): Promise<string> {
  const { sub, ...claims } = session;
  // RFC 9068 requires a client.
  return new SignJWT({ client_id: issuerOf(runtime), ...claims })
    .setProtectedHeader({ alg: ALGORITHM, kid, typ: TYPE })
    .setIssuer(issuerOf(runtime))
    .setAudience(issuerOf(runtime))
    .setSubject(sub)
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt)
    .setExpirationTime(issuedAt + lifetime)
    .setJti(jti)
    .sign(key);
}

/**
 * Verifies the signature and the claims of a session token. The caller compares its stamp.
 *
 * @throws Failure `unauthenticated`
 */
export async function verifySession(
  runtime: Pick<Runtime, 'instanceName' | 'now'>,
  token: string,
  findPublicKey: FindPublicKey,
): Promise<VerifiedSession> {
  // Several base64url texts decode to the same bytes; only the canonical one is accepted.
  const signature = token.slice(token.lastIndexOf('.') + 1);
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature)
    throw new Failure('unauthenticated', { cause: 'bad_signature' });
  let key = undefined as PublicKey | undefined;
  try {
    const { payload, protectedHeader } = await jwtVerify<Claims>(
      token,
      async ({ kid }) => {
        key = typeof kid === 'string' ? await findPublicKey(kid) : undefined;
        if (!key) throw new Failure('unauthenticated', { cause: 'unknown_key' });
        return key;
      },
      {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: issuerOf(runtime),
        audience: issuerOf(runtime),
        clockTolerance: CLOCK_SKEW_SECONDS,
        maxTokenAge: MAX_AGE_SECONDS,
        currentDate: new Date(runtime.now()),
        requiredClaims: ['sub', 'name', 'sst', 'iat', 'nbf', 'exp', 'jti'],
      },
    );
    if (TEXTS.some((claim) => typeof payload[claim] !== 'string'))
      throw new Failure('unauthenticated', { cause: 'malformed_session' });
    const { iss: _, aud: __, client_id: ___, ...session } = payload;
    return { ...session, kid: protectedHeader.kid as string, key: key as PublicKey };
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new Failure('unauthenticated', { cause: causeOf(error) });
    throw error;
  }
}

/** Causes by the claim, or the parameter of the header, that has another value than expected. */
const WRONG: Readonly<Record<string, Cause>> = {
  typ: 'wrong_type',
  iss: 'wrong_issuer',
  aud: 'wrong_audience',
  iat: 'session_not_begun',
  nbf: 'session_not_begun',
};

function causeOf(error: errors.JOSEError): Cause {
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'bad_signature';
  if (error instanceof errors.JWTExpired) return 'session_expired';
  const isWrong = error instanceof errors.JWTClaimValidationFailed && error.reason === 'check_failed';
  return (isWrong && WRONG[error.claim]) || 'malformed_session';
}

/**
 * Whether a verified session is valid at `now`, by the rules of {@link verifySession}.
 *
 * @param now in milliseconds since the epoch
 */
export function isTimely({ iat, nbf, exp }: VerifiedSession, now: number): boolean {
  const seconds = Math.floor(now / 1000);
  const [earliest, latest] = [seconds - CLOCK_SKEW_SECONDS, seconds + CLOCK_SKEW_SECONDS];
  return nbf <= latest && iat <= latest && exp > earliest && earliest - iat <= MAX_AGE_SECONDS;
}
