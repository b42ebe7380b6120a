import { expect, test } from 'vitest';
import { FAILURES, type FailureCode } from '#lib/failure/codes';
import { concerning, Failure, ignore } from '#lib/failure/failure';
import { failureOf } from '../support/failure-of.ts';

const codes = Object.keys(FAILURES) as FailureCode[];

/** The statuses of the service, and the codes that may have each. */
const EXPECTED: Record<number, RegExp> = {
  400: /^(invalid_request|team_not_member)$/,
  401: /^(unauthenticated|invalid_credentials)$/,
  403: /^(forbidden|step_up_required)$/,
  404: /_not_found$/,
  409: /_(exists|limit|active|cancelled|recently|deleted|erased|locked|rotated|in_use|account)$|^(self_target|last_administrator)$/,
  412: /^precondition_failed$/,
  413: /^payload_too_large$/,
  415: /^unsupported_media_type$/,
  422: /^(too_complex|idempotency_key_reused)$/,
  429: /^too_many_requests$/,
  500: /^internal$/,
  503: /^unavailable$/,
};

test.each(codes)('the failure %s has the status of its kind, and a sentence without internals', (code) => {
  const { status, text } = FAILURES[code];
  expect(code).toMatch(EXPECTED[status] ?? /never/);
  expect(text).toMatch(/^[A-Z][^{}$<>]{10,80}\.$/);
  expect(text).not.toMatch(/dynamo|table|aws|lambda|sdk|stack|exception|undefined|null/i);
  expect(failureOf(code)).toMatchObject({ code, name: 'Failure', message: text });
});

const limit = new Failure('token_limit');
const alike = Object.assign(new Error('broken'), { code: 'token_exists' });
const thrown = (error: unknown, handler: (error: unknown) => unknown) => Promise.reject(error).catch(handler);

test('ignore returns nothing for a failure of its code', async () => {
  expect(await thrown(new Failure('token_exists'), ignore('token_exists'))).toBeUndefined();
});

test.each([limit, new Error('broken'), alike, 'token_exists'])('ignore rethrows %s', async (error) => {
  await expect(thrown(error, ignore('token_exists'))).rejects.toBe(error);
});

test.each([limit, alike, 'token_exists'])('concerning rethrows %s', async (error) => {
  await expect(thrown(error, concerning('ada'))).rejects.toBe(error);
});

test('concerning adds the account to a failure only', async () => {
  await expect(thrown(new Failure('token_limit'), concerning('ada'))).rejects.toHaveProperty('about', 'ada');
  await expect(thrown(new Error('x'), concerning('ada'))).rejects.not.toHaveProperty('about');
});
