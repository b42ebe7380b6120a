import type { FailureCode, FieldError } from '../failure/codes.ts';

/** Reason for which `oauth/token` refuses an exchange (RFC 6749, 8693), in addition to `invalid_request`. */
type ExchangeCode =
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type';

/**
 * Reason of a failed request: a code of the service, `not_found` (the gateway has no such route), `unexpected_answer`
 * (an answer that the service does not give) or `network_error` (no answer).
 */
export type ErrorCode = FailureCode | ExchangeCode | 'not_found' | 'network_error' | 'unexpected_answer';

type Details = Partial<
  Pick<CoreAccountError, 'message' | 'status' | 'errors' | 'requestId' | 'retryAfter' | 'cause'>
>;

/** A failed request. It contains neither the credential nor any other part of the request. */
export class CoreAccountError extends Error {
  /** ID of the operation, such as `token.create`. */
  readonly operation: string;
  /** Code of the failure: an {@link ErrorCode}, or one of a newer service. */
  readonly code: ErrorCode | (string & {});
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Invalid fields, or the cause of a refusal such as a missing role; may be empty. */
  readonly errors: readonly FieldError[];
  /** ID by which operators find the request in the logs. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined;

  constructor(operation: string, code: CoreAccountError['code'], details: Details = {}) {
    const { errors = [], status = 0 } = details;
    const fields = errors.map(({ field, message }) => `${field}: ${message}.`);
    const text = details.message ?? (status > 0 ? `HTTP ${status}.` : '');
    super([`${operation}: ${code}.`, text, ...fields].filter(Boolean).join(' '), { cause: details.cause });
    this.name = 'CoreAccountError';
    this.operation = operation;
    this.code = code;
    this.status = status;
    this.errors = errors;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }
}
