import type { Cause } from './cause.ts';
import {
  type CodeWithCause,
  type CodeWithFacts,
  FAILURES,
  type FailureCode,
  type FailureFacts,
  type FieldError,
  type PlainCode,
} from './codes.ts';

/** A limit that a request has reached: a quota in a window, identified by its name (RateLimit header fields for HTTP). */
export interface ReachedLimit {
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
}

type Details = Partial<
  Pick<Failure, 'errors' | 'retryAfter' | 'limit' | 'headers' | 'about' | 'advice' | 'cause'>
>;

/** A code that has facts, with these. */
type WithFacts = {
  [Code in CodeWithFacts]: [code: Code, details: Details & { readonly data: FailureFacts[Code] }];
}[CodeWithFacts];

/** A refusal that the caller may see, except for its cause. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly errors?: readonly FieldError[];
  /** Further members of `data`, as the schema of failures describes them. */
  readonly data?: FailureFacts[CodeWithFacts];
  /** A sentence for the caller after the text of the code. */
  readonly advice?: string;
  /** In seconds. */
  readonly retryAfter?: number;
  readonly limit?: ReachedLimit;
  /** Headers of the answer, by their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Username of the account, for the log only. */
  about?: string | undefined;
  /** Why a credential or an attempt is refused, for the log and the audit entry only. */
  override readonly cause?: Cause;

  constructor(code: PlainCode, details?: Details);
  constructor(...codeAndFacts: WithFacts);
  constructor(code: CodeWithCause, details: Details & { readonly cause: Cause });
  constructor(code: FailureCode, details: Details = {}) {
    super(FAILURES[code].text);
    this.name = 'Failure';
    this.code = code;
    Object.assign(this, details);
  }
}

/** Argument of `catch` that ignores a failure of this code. */
export const ignore = (code: FailureCode) => (error: unknown) => {
  if (!(error instanceof Failure && error.code === code)) throw error;
};

/** Argument of `catch` that returns the cause of a refused credential. */
export function causeOf(error: unknown): Cause {
  if (error instanceof Failure && error.cause) return error.cause;
  throw error;
}

/** Argument of `catch` that adds the account to a failure. */
export const concerning = (username: string | undefined) => (error: unknown) => {
  if (error instanceof Failure) error.about = username;
  throw error;
};

/** A failure with one field: the part of the request or of the credential that decided. */
export const failing = (code: PlainCode, field: string, message: string) =>
  new Failure(code, { errors: [{ field, message }] });

export const forbidden = (field: string, message: string) => failing('forbidden', field, message);
export const invalid = (field: string, message: string) => failing('invalid_request', field, message);
