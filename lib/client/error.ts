import type { FailureCode, FieldError } from '../failure.ts';

/**
 * Why a request came to nothing: a code of the service, or of what stands before it. `not_found` is the gateway's answer
 * to an unknown route, `unexpected_answer` one that the service does not give, `network_error` none at all.
 */
export type ErrorCode = FailureCode | 'not_found' | 'network_error' | 'unexpected_answer';

interface Details {
  readonly message?: string | undefined;
  readonly status?: number;
  readonly errors?: readonly FieldError[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** A request that came to nothing. It holds nothing of the credential, nor of what was sent. */
export class CoreAccountError extends Error {
  /** Of the operation, as `token.create`. */
  readonly operation: string;
  /** Newer services may answer codes that are not listed here. */
  readonly code: ErrorCode;
  /** HTTP status; 0 where nothing was answered. */
  readonly status: number;
  /** The fields at fault; none unless the code is about input. */
  readonly errors: readonly FieldError[];
  /** By which operators find the request in the logs. */
  readonly requestId: string | undefined;
  /** In seconds. */
  readonly retryAfter: number | undefined;

  constructor(operation: string, code: ErrorCode, details: Details = {}) {
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
