/**
 * Limits of every call to AWS: three attempts of at most 1.5 s each. Its services answer in milliseconds, and a
 * call that hangs must leave its function the time to answer 503.
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

/** Whether a dependency is down, throttling or out of reach, rather than refusing what it was asked. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { $metadata, code } = error as { $metadata?: { httpStatusCode?: number }; code?: unknown };
  return (
    THROTTLED.has(error.name) ||
    error.name === 'TimeoutError' ||
    ($metadata?.httpStatusCode ?? 0) >= 500 ||
    // Of the operating system: ECONNREFUSED, ENOTFOUND ...
    (typeof code === 'string' && /^E(?!RR_)[A-Z_]+$/.test(code))
  );
}
