import { describe, expect, test } from 'vitest';
import { FAILURES, Failure, type FailureCode, invalid } from '#lib/failure';

const codes = Object.keys(FAILURES) as FailureCode[];

/** The statuses that the service may answer with, and which codes may have each. */
const EXPECTED: Record<number, RegExp> = {
  400: /^(invalid_request|team_not_member)$/,
  401: /^(unauthenticated|invalid_credentials)$/,
  403: /^forbidden$/,
  404: /_not_found$/,
  409: /_(exists|limit|cancelled)$|^self_target$/,
  413: /^payload_too_large$/,
  415: /^unsupported_media_type$/,
  422: /^too_complex$/,
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
