import {
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
} from 'jose';
import type { Cause } from '../failure/cause.ts';
import { ALGORITHMS } from './public-keys.ts';

/** A token of an issuer as it reads: nothing in it is verified. */
export interface Grant {
  readonly text: string;
  readonly payload: JWTPayload;
  /** Whether it is an access token (RFC 9068 section 2.1), such as another instance of this service issues for this one. */
  readonly isAccessToken: boolean;
}

/** Reads a token of an issuer. @returns undefined for a text that is no JWT with one of {@link ALGORITHMS} */
export function grantIn(text: string): Grant | undefined {
  try {
    const { alg, typ = '' } = decodeProtectedHeader(text);
    if (!ALGORITHMS.some((one) => one === alg)) return undefined;
    return { text, payload: decodeJwt(text), isAccessToken: /^(application\/)?at\+jwt$/i.test(typ) };
  } catch {
    return undefined;
  }
}

/**
 * Verifies the signature of a token with the keys of its issuer, and nothing else. A key that the token brings or refers to
 * (`jwk`, `jku`, `x5u`) counts for nothing.
 *
 * @returns why it is not valid: `unknown_key` if none of the keys has the ID in the token; undefined if it is valid
 */
export async function faultOfSignature({ text }: Grant, keys: JSONWebKeySet): Promise<Cause | undefined> {
  try {
    await compactVerify(text, createLocalJWKSet(keys), { algorithms: [...ALGORITHMS] });
    return undefined;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return 'unknown_key';
    if (error instanceof errors.JWSSignatureVerificationFailed) return 'bad_signature';
    // A key of the issuer may be too short, or of another curve.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return 'malformed_grant';
    throw error;
  }
}
