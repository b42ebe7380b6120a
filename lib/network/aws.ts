/**
 * Limits of every call to AWS: three attempts of at most 1.5 s each. AWS answers in milliseconds, and a hanging call must
 * leave its function time to answer 503.
 */
export const CLIENT_LIMITS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 1500, throwOnRequestTimeout: true },
};

type Send = (args: never) => Promise<unknown>;
type Context = { readonly clientName?: string; readonly commandName?: string };
type Middleware = <S extends Send>(next: S, context: Context) => S;

/** The part of a client of AWS that {@link namingErrors} needs. */
interface Client {
  readonly middlewareStack: { add(middleware: Middleware, options: { readonly step: 'initialize' }): void };
}

/**
 * Makes the messages of a client's errors name the service and the operation, and the time limit of an attempt:
 * `DynamoDB GetItem: no answer within 1500 ms`.
 */
export function namingErrors<C extends Client>(client: C): C {
  client.middlewareStack.add(
    (next, { clientName = '', commandName = '' }) =>
      ((args) =>
        next(args).catch((error: Error) => {
          const limit = error.name === 'TimeoutError' && /\d+ ms/.exec(error.message)?.[0];
          const operation = `${clientName.replace(/Client$/, '')} ${commandName.replace(/Command$/, '')}`;
          error.message = `${operation}: ${limit ? `no answer within ${limit}` : error.message}`;
          throw error;
        })) as typeof next,
    { step: 'initialize' },
  );
  return client;
}

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
