import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The table and the client that reaches it. */
export interface Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
}

/**
 * Three attempts of at most 1.5 s each: DynamoDB answers in single-digit milliseconds, and a request that
 * hangs must leave its function the time to answer 503.
 */
export const CLIENT_LIMITS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 1500, throwOnRequestTimeout: true },
};

/** Opens the table with the credentials, region and endpoint of the environment. */
export const openTable = (name: string): Table => ({
  name,
  client: DynamoDBDocumentClient.from(new DynamoDBClient(CLIENT_LIMITS), {
    marshallOptions: { removeUndefinedValues: true },
  }),
});

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
    (typeof code === 'string' && /^E[A-Z]+$/.test(code))
  );
}
