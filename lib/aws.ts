/**
 * Limits of every call to AWS: three attempts of at most 1.5 s each. AWS answers in milliseconds, and a hanging call must
 * leave its function time to answer 503.
 */
export const CLIENT_LIMITS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 1500, throwOnRequestTimeout: true },
};

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'ThrottledException',
  'TransactionInProgressException',
]);

/** Whether a dependency is down, throttling or unreachable, as opposed to rejecting the call. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { $metadata, code } = error as { $metadata?: { httpStatusCode?: number }; code?: unknown };
  return (
    THROTTLED.has(error.name) ||
    error.name === 'TimeoutError' ||
    ($metadata?.httpStatusCode ?? 0) >= 500 ||
    // Codes of the operating system: ECONNREFUSED, ENOTFOUND ...
    (typeof code === 'string' && /^E(?!RR_)[A-Z_]+$/.test(code))
  );
}
