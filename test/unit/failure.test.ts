import { describe, expect, test } from 'vitest';
import { FAILURES, Failure, type FailureCode, ignore, invalid } from '#lib/failure';

const codes = Object.keys(FAILURES) as FailureCode[];

/** The statuses that the service may answer with, and which codes may have each. */
const EXPECTED: Record<number, RegExp> = {
  400: /^(invalid_request|team_not_member)$/,
  401: /^(unauthenticated|invalid_credentials)$/,
  403: /^forbidden$/,
  404: /_not_found$/,
  409: /_(exists|limit|cancelled|deleted)$|^self_target$/,
  412: /^precondition_failed$/,
  413: /^payload_too_large$/,
  415: /^unsupported_media_type$/,
  422: /^(too_complex|idempotency_key_reused)$/,
  429: /^too_many_requests$/,
  500: /^internal$/,
  503: /^unavailable$/,
};

describe.each(codes)('the failure %s', (code) => {
  const { status, text } = FAILURES[code];

  test('has the status of its kind', () => {
    expect(code).toMatch(EXPECTED[status] ?? /never/);
  });

  test('tells the public a sentence, and nothing of what is inside', () => {
    expect(text).toMatch(/^[A-Z][^{}$<>]{10,80}\.$/);
    expect(text).not.toMatch(/dynamo|table|aws|lambda|sdk|stack|exception|undefined|null/i);
  });

  test('is an Error of that text', () => {
    expect(new Failure(code)).toMatchObject({ code, name: 'Failure', message: text });
  });
});

test('every status has a code, but for those of the gateway', () => {
  expect(new Set(Object.values(FAILURES).map(({ status }) => String(status)))).toEqual(
    new Set(Object.keys(EXPECTED)),
  );
});

test('an invalid field is named', () => {
  expect(invalid('n', 'Must be 1')).toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'n', message: 'Must be 1' }],
  });
});

test('a failure carries what it is told of, and nothing where it is told nothing', () => {
  const errors = [{ field: 'a', message: 'Must be b' }];
  expect(new Failure('too_many_requests', { errors, retryAfter: 7 })).toMatchObject({
    errors,
    retryAfter: 7,
  });
  expect(new Failure('internal')).toMatchObject({ errors: undefined, retryAfter: undefined });
});

describe('where a failure is ignored', () => {
  const ignoring = ignore('token_exists');

  test('it is', () => {
    expect(ignoring(new Failure('token_exists'))).toBeUndefined();
  });

  test.each([
    ['another failure', new Failure('token_limit')],
    ['an error', new Error('broken')],
    ['an error of the same code', Object.assign(new Error('broken'), { code: 'token_exists' })],
    ['what is no error', 'token_exists'],
  ])('%s is thrown on', (_what, error) => {
    let thrown: unknown;
    try {
      ignoring(error);
    } catch (caught) {
      thrown = caught;
    }
    expect(thrown).toBe(error);
  });
});
