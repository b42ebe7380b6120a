import type { Contract } from '../contract/contract.ts';
import { FAILURES } from '../failure/codes.ts';
import type { Failure } from '../failure/failure.ts';
import { OAuthFailure } from '../oauth/failure.ts';
import { loggedFailure, REALM } from './envelope.ts';
import type { EndpointMiddleware } from './request.ts';

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
