import type { FailureCode, PlainCode } from '#lib/failure/codes';
import { Failure } from '#lib/failure/failure';

/** A failure with any code; one that refuses a credential has some cause, and none has facts. */
export const failureOf = (code: FailureCode, about?: string): Failure => {
  const details = about === undefined ? {} : { about };
  return code === 'unauthenticated' || code === 'invalid_credentials'
    ? new Failure(code, { ...details, cause: 'unknown_token' })
    : new Failure(code as PlainCode, details);
};
