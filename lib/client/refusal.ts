import type { FieldError } from '../failure/codes.ts';
import { CoreAccountError, type ErrorCode } from './error.ts';

/** Codes for answers of the gateway and of proxies. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  404: 'not_found',
  413: 'payload_too_large',
  429: 'too_many_requests',
  500: 'internal',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** Replaces the messages of gateways and proxies when the service fails. */
const NO_ANSWER = 'The service gave no answer. Try again.';

interface Refused {
  readonly message?: string;
  readonly requestID?: string;
  /** Members of an error of OAuth 2.0 (RFC 6749). */
  readonly error?: string;
  readonly error_description?: string;
  readonly data?: { readonly code?: string; readonly errors?: readonly FieldError[] };
}

/** Builds the error of an unsuccessful answer; `body` is undefined when it was not JSON. */
export function refusal(operation: string, { status, headers }: Response, body: unknown): CoreAccountError {
  const {
    error = '',
    error_description,
    message = error_description,
    requestID,
    data,
  } = (body ?? {}) as Refused;
  const ofOAuth = /^[a-z_]+$/.test(error) ? error : undefined;
  const seconds = headers.get('retry-after');
  return new CoreAccountError(operation, data?.code ?? CODES[status] ?? ofOAuth ?? 'unexpected_answer', {
    message: data?.code === undefined && status >= 500 ? NO_ANSWER : message,
    status,
    errors: data?.errors,
    requestId: headers.get('x-request-id') ?? requestID ?? headers.get('apigw-requestid') ?? undefined,
    retryAfter: seconds && /^\d+$/.test(seconds) ? Number(seconds) : undefined,
  });
}

/** Builds the error of an invalid input, which was not sent. */
export const invalidInput = (operation: string, field: string, message: string) =>
  new CoreAccountError(operation, 'invalid_request', { errors: [{ field, message }] });
