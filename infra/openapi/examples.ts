import type { FailureCode } from '#lib/failure';
import recorded from './examples.json' with { type: 'json' };
import type { Json } from './schemas.ts';

/** What a local instance has answered (`npm run docs:examples`), with placeholders for what is secret. */
export interface Examples {
  /** By the id of the operation, then by the media type. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Bodies that were sent, by the id of the operation. */
  readonly requests: Readonly<Record<string, unknown>>;
  /** By the code. */
  readonly failures: Readonly<Record<string, unknown>>;
}

const { answers, requests, failures }: Examples = recorded;

const example = (value: unknown): Json => (value === undefined ? {} : { example: value });

export const exampleOf = (operationId: string, type: string): Json => example(answers[operationId]?.[type]);

export const requestExample = (operationId: string): Json => example(requests[operationId]);

/** undefined where no request can bring it about: a fault, an outage, what only operator commands answer. */
export const failureExample = (code: FailureCode): unknown => failures[code];
