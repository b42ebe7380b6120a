import type { Cause } from '../failure/cause.ts';
import { Failure } from '../failure/failure.ts';

/** Errors of the token endpoint (RFC 6749 section 5.2, RFC 8693 section 2.2.2), with those that it lacks for 500 and 503. */
export const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'server_error',
  'temporarily_unavailable',
] as const;

export type OAuthErrorCode = (typeof OAUTH_ERRORS)[number];

/** A refusal of the token endpoint with an error of OAuth 2.0. */
export class OAuthFailure extends Failure {
  readonly error: OAuthErrorCode;
  readonly description: string;
  /** Whether the answer challenges with Basic, as the client has sent it. */
  readonly challenges: boolean;

  constructor(
    error: OAuthErrorCode,
    description: string,
    { cause, challenges = false }: { cause?: Cause; challenges?: boolean } = {},
  ) {
    if (cause) super('invalid_credentials', { cause });
    else super('invalid_request');
    this.error = error;
    this.description = description;
    this.challenges = challenges;
  }
}
