import type { FieldError } from '../failure.ts';
import { CoreAccountError, type ErrorCode } from './error.ts';

/** What the gateway, and proxies, answer by themselves. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  404: 'not_found',
  413: 'payload_too_large',
  429: 'too_many_requests',
  500: 'internal',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

interface Refused {
  readonly message?: string;
  readonly requestID?: string;
  readonly data?: { readonly code?: ErrorCode; readonly errors?: readonly FieldError[] };
}

/** What an answer that is no success says; `body` is undefined where it was no JSON. */
export function refusal(operation: string, { status, headers }: Response, body: unknown): CoreAccountError {
  const { message, requestID, data } = (body ?? {}) as Refused;
  const seconds = headers.get('retry-after');
  return new CoreAccountError(operation, data?.code ?? CODES[status] ?? 'unexpected_answer', {
    message,
    status,
    errors: data?.errors,
    requestId: headers.get('x-request-id') ?? requestID,
    retryAfter: seconds && /^\d+$/.test(seconds) ? Number(seconds) : undefined,
  });
}

/** The error of what the caller has handed in, which was not sent. */
export const invalidInput = (operation: string, field: string, message: string) =>
  new CoreAccountError(operation, 'invalid_request', { errors: [{ field, message }] });
