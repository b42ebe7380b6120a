import { FAILURES, type FailureCode } from '#lib/failure/codes';

const texts = Object.fromEntries(Object.entries(FAILURES).map(([code, { text }]) => [code, text])) as Record<
  FailureCode,
  string
>;

/** Why something failed, for others than the one whom the service refused: without advice. */
export const reasons: Readonly<Record<FailureCode, string>> = {
  ...texts,
  idempotency_key_reused: 'It was sent before with other content.',
  precondition_failed: 'Somebody else had changed it meanwhile.',
  unavailable: 'The service was temporarily unavailable.',
};
