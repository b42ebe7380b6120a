import { MAX_ASSERTION_AGE } from '#lib/auth/step-up';
import { FAILURES, type FailureCode } from '#lib/failure/codes';
import recorded from './examples.json' with { type: 'json' };
import type { Json } from './schemas.ts';
import { ALL_FACTS } from './texts/facts.ts';

/** Recorded answers of a local instance (test/openapi/record.ts), with fixed IDs and times and without secrets. */
export interface Examples {
  /** By the ID of the operation, then by media type. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Bodies of requests, by the ID of the operation. */
  readonly requests: Readonly<Record<string, unknown>>;
  /** Further requests and their answers in JSON, by the ID of the operation and what they are for. */
  readonly others: Readonly<Record<string, Readonly<Record<string, Other>>>>;
}

interface Other {
  readonly request: unknown;
  readonly answer: unknown;
}

const { answers, requests, others }: Examples = recorded;

/** Request ID and time of every example. */
export const REQUEST_ID = '9b2f4c1e-6a57-4d0b-8f33-2c7e5d9a1b46';
export const EXECUTED_AT = '2026-01-01T09:30:00.000000Z';

/** What the first example is for, where an operation has others. */
const USUAL = 'usual';

/** One example, or several with their names (OpenAPI 3.1). */
function examplesOf(usual: unknown, operationId: string, part: keyof Other): Json {
  if (usual === undefined) return {};
  const further = Object.entries(others[operationId] ?? {}).map(
    ([name, other]) => [name, other[part]] as const,
  );
  if (further.length === 0) return { example: usual };
  const named = [[USUAL, usual] as const, ...further];
  return { examples: Object.fromEntries(named.map(([name, value]) => [name, { value }])) };
}

/** The examples of an answer; empty where none is recorded. @param type its media type */
export const exampleOf = (operationId: string, type: string): Json =>
  examplesOf(answers[operationId]?.[type], operationId, 'answer');

/** The first example of a request body; undefined where none is recorded. */
export const requestBody = (operationId: string): unknown => requests[operationId];

/** The examples of a request body; empty where none is recorded. */
export const requestExample = (operationId: string): Json =>
  examplesOf(requestBody(operationId), operationId, 'request');

/** Invalid fields, for the codes that name them. */
const ERRORS: { readonly [C in FailureCode]?: readonly Json[] } = {
  invalid_request: [
    { field: 'user_color', message: 'Must be a colour such as #1A2B3C' },
    { field: 'nickname', message: 'Unknown property' },
  ],
  team_not_member: [{ field: 'team_id', message: 'Must be a team of the account' }],
  forbidden: [{ field: 'role', message: 'Requires sys_administrator' }],
  step_up_required: [
    {
      field: 'auth_time',
      message: `Must be at most ${MAX_ASSERTION_AGE} seconds ago: assert a passkey again`,
    },
  ],
  idempotency_key_reused: [{ field: 'idempotency-key', message: 'Was used for another request' }],
  unsupported_media_type: [{ field: 'content-type', message: 'Must be application/json' }],
};

const factsOf = (code: FailureCode): Json =>
  Object.fromEntries(ALL_FACTS.flatMap((fact) => (fact.code === code ? [[fact.name, fact.example]] : [])));

/** The envelope of a failure. */
export const failureExample = (code: FailureCode): Json => ({
  success: false,
  message: FAILURES[code].text,
  requestID: REQUEST_ID,
  executed_at: EXECUTED_AT,
  data: { code, ...(ERRORS[code] ? { errors: ERRORS[code] } : {}), ...factsOf(code) },
});
