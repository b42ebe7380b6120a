import { createRequire, flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

export interface FunctionData {
  readonly id: string;
  readonly file: string;
  readonly memory: number;
}

/** An invocation, as the runtime of Lambda receives it. */
export interface Invocation {
  readonly requestId: string;
  readonly event: string;
  /** In milliseconds since the epoch. */
  readonly deadline: number;
}

/** The result of the function as JSON, or the reason why there is none. */
export type Outcome = { readonly result: string } | { readonly error: string };

type Handler = (event: unknown, context: object) => unknown;

const { id, file, memory } = workerData as FunctionData;
// The variable is for this thread, not for its function.
delete process.env['NODE_COMPILE_CACHE'];
// Lambda sets both; the SDK then sends the trace of a request with its calls.
process.env['AWS_LAMBDA_FUNCTION_NAME'] = id;
const traceOf = (event: unknown) =>
  (event as { headers?: Record<string, string> } | null)?.headers?.['x-amzn-trace-id'];

const { handler } = createRequire(import.meta.url)(file) as { handler: Handler };
// Shares the compiled code with threads that start while this one runs.
flushCompileCache();

parentPort?.on('message', async ({ requestId, event, deadline }: Invocation) => {
  const context = {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: id,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:${process.env['AWS_REGION']}:000000000000:function:${id}`,
    logGroupName: `/aws/lambda/${id}`,
    logStreamName: 'local',
    memoryLimitInMB: String(memory),
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  let outcome: Outcome;
  try {
    const parsed = JSON.parse(event) as unknown;
    process.env['_X_AMZN_TRACE_ID'] = traceOf(parsed) ?? '';
    outcome = { result: JSON.stringify(await handler(parsed, context)) ?? 'null' };
  } catch (error) {
    outcome = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  parentPort?.postMessage(outcome);
});
