import type { JWTPayload } from 'jose';
import type { Cause } from '../failure/cause.ts';
import type { Claims, TrustItem } from '../item/trust.ts';
import type { Issuer } from './issuers.ts';

/** Difference of clocks between this service and an issuer, in seconds. */
export const GRANT_SKEW_SECONDS = 60;

/** Longest life of a token of an issuer, in seconds. */
export const MAX_GRANT_SECONDS = 24 * 3600;

/** What of a token a trust does not accept. */
export interface Mismatch {
  readonly cause: Cause;
  /** Path of the claim, such as `kubernetes.io/namespace`. */
  readonly at: string;
  readonly expected: string;
  /** The value in the token as JSON; absent if the token lacks the claim. */
  readonly found?: string;
}

/** What a token must be for, and when. */
export interface Expected {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Audience of tokens for this instance, if the issuer has none of its own. */
  readonly audience: string;
}

/** The parts of a trust that a token must meet. */
export type TrustTerms = Pick<TrustItem, 'trust_subject' | 'trust_claims'>;

/**
 * Everything in which a token of an issuer differs from what a trust accepts; none if it is accepted, provided that its
 * signature is valid.
 *
 * @param trust undefined compares only what holds for every trust of the issuer
 */
export function mismatchesOf(
  payload: JWTPayload,
  issuer: Issuer,
  trust: TrustTerms | undefined,
  expected: Expected,
): Mismatch[] {
  return [
    ...ofIssuer(payload, issuer, expected),
    ...ofTimes(payload, expected.now / 1000),
    ...(trust ? [...ofSubject(payload, trust.trust_subject), ...ofClaims(payload, trust.trust_claims)] : []),
  ];
}

const fault = (cause: Cause, at: string, expected: string, value: unknown): Mismatch => ({
  cause,
  at,
  expected,
  ...(value !== undefined && { found: JSON.stringify(value) }),
});

function ofIssuer({ iss, aud }: JWTPayload, issuer: Issuer, { audience }: Expected): Mismatch[] {
  const own = issuer.audience ?? audience;
  const [only, ...others] = Array.isArray(aud) ? aud : [aud];
  return [
    ...(iss === issuer.issuer ? [] : [fault('unknown_issuer', 'iss', issuer.issuer, iss)]),
    // One of several services could use a token for all of them at the others.
    ...(only === own && others.length === 0
      ? []
      : [fault('wrong_audience', 'aud', `${own}, and no other`, aud)]),
  ];
}

function ofTimes({ exp, iat, nbf }: JWTPayload, now: number): Mismatch[] {
  const times = Object.entries({ exp, iat, ...(nbf !== undefined && { nbf }) });
  const malformed = times.filter(([, value]) => typeof value !== 'number' || !Number.isFinite(value));
  if (malformed.length > 0)
    return malformed.map(([name, value]) => fault('malformed_grant', name, 'seconds since the epoch', value));
  const [end, begin] = [exp as number, iat as number];
  const latest = now + GRANT_SKEW_SECONDS;
  const early = times.filter(([name, value]) => name !== 'exp' && (value as number) > latest);
  return [
    ...(end > now - GRANT_SKEW_SECONDS ? [] : [fault('grant_expired', 'exp', 'a time to come', end)]),
    ...early.map(([name, value]) => fault('grant_not_begun', name, 'a past time', value)),
    ...(end - begin <= MAX_GRANT_SECONDS
      ? []
      : [fault('grant_too_long', 'exp', `at most ${MAX_GRANT_SECONDS / 3600} h after iat`, end)]),
  ];
}

/**
 * The subject is exact, or begins with what precedes `*`. With `subject_mode`, AWS names an end user in place of the role,
 * whom the service of the role chooses.
 */
function ofSubject(payload: JWTPayload, subject: string): Mismatch[] {
  const { sub } = payload;
  const meets =
    typeof sub === 'string' &&
    (subject.endsWith('*') ? sub.startsWith(subject.slice(0, -1)) : sub === subject);
  const ofUser = [payload, ...Object.values(payload)].find(
    (part): part is { subject_mode: unknown } =>
      typeof part === 'object' && part !== null && 'subject_mode' in part,
  );
  return [
    ...(meets ? [] : [fault('wrong_subject', 'sub', subject, sub)]),
    ...(ofUser ? [fault('wrong_subject', 'subject_mode', 'no such claim', ofUser.subject_mode)] : []),
  ];
}

type Part = Readonly<Record<string, unknown>>;

const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ofClaims = (payload: Part, claims: Claims = {}, above = ''): Mismatch[] =>
  Object.entries(claims).flatMap(([name, expected]) => {
    const found = Object.hasOwn(payload, name) ? payload[name] : undefined;
    const at = `${above}${name}`;
    if (isPart(expected))
      return isPart(found)
        ? ofClaims(found, expected, `${at}/`)
        : [fault('wrong_claim', at, 'an object', found)];
    return found === expected ? [] : [fault('wrong_claim', at, JSON.stringify(expected), found)];
  });
