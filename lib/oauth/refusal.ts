import type { Contract } from '../contract/contract.ts';
import type { Cause } from '../failure/cause.ts';
import { FAILURES } from '../failure/codes.ts';
import { Failure } from '../failure/failure.ts';
import { loggedFailure, REALM } from '../http/envelope.ts';
import type { EndpointMiddleware } from '../http/request.ts';

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

/** Characters that `error_description` may have. */
const FORBIDDEN = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;

/** The answer to a failure that no rule of OAuth names. */
function ofOthers({ code, errors = [] }: Failure) {
  const { status, text } = FAILURES[code];
  const error =
    status === 503 ? 'temporarily_unavailable' : status >= 500 ? 'server_error' : 'invalid_request';
  return {
    status,
    error,
    description: [text, ...errors.map(({ field, message }) => `${field}: ${message}.`)].join(' '),
  };
}

const ofOAuth = ({ error, description }: OAuthFailure) => ({
  status: error === 'invalid_client' ? 401 : 400,
  error,
  description,
});

/** Renders failures as RFC 6749 section 5.2 has them, and logs those of the service. */
export const refusal = ({ id }: Contract): EndpointMiddleware => ({
  onError: (request) => {
    const { event } = request.event;
    const { requestId } = event.requestContext;
    const failure = loggedFailure(id, request);
    const { retryAfter } = failure;
    const { status, error, description } =
      failure instanceof OAuthFailure ? ofOAuth(failure) : ofOthers(failure);
    request.response = {
      statusCode: status,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        ...(failure instanceof OAuthFailure && failure.challenges
          ? { 'www-authenticate': `Basic ${REALM}` }
          : {}),
        ...(retryAfter !== undefined ? { 'retry-after': String(retryAfter) } : {}),
        'x-request-id': requestId,
      },
      body: JSON.stringify({
        error,
        error_description: description.replace(FORBIDDEN, "'"),
        requestID: requestId,
      }),
    };
  },
});
