import { createRequire } from 'node:module';

/** A request to the function of this process. */
export interface Invocation {
  readonly requestId: string;
  readonly event: unknown;
  /** Under which the function sends what it sends for this request. */
  readonly trace: string;
}

/** What it has done, and what that took of this process. */
export interface Report {
  readonly result?: unknown;
  readonly error?: string;
  /** CPU time of all threads since the report before, in milliseconds; the first one counts from the start of Node.js. */
  readonly cpuMs: number;
  /** The part of it from the request to its answer, in milliseconds; undefined of the start. */
  readonly answerMs?: number;
  /** From the request to its answer, in milliseconds. */
  readonly answerWallMs?: number;
  /** The most memory that this process has had, in MB of 10^6 bytes. */
  readonly peakMb: number;
  /** What its objects take now: only those that are held, where Node.js exposes its collector. In MB of 10^6 bytes. */
  readonly heapMb: number;
}

type Handler = (event: unknown, context: object) => unknown;

const [, , file, id = ''] = process.argv;
// Lambda's own; the SDK passes on the trace of a request in what it sends for it, where both are set.
process.env['AWS_LAMBDA_FUNCTION_NAME'] = id;

let before = { user: 0, system: 0 };
/** Takes the time since the last report. */
function report(outcome: Pick<Report, 'result' | 'error' | 'answerMs' | 'answerWallMs'>): Report {
  const now = process.cpuUsage();
  const cpuMs = (now.user + now.system - before.user - before.system) / 1000;
  before = now;
  globalThis.gc?.();
  const heapMb = process.memoryUsage().heapUsed / 1e6;
  return { ...outcome, cpuMs, peakMb: (process.resourceUsage().maxRSS * 1024) / 1e6, heapMb };
}

const { handler } = createRequire(import.meta.url)(file as string) as { handler: Handler };
process.send?.(report({}));

process.on('message', async ({ requestId, event, trace }: Invocation) => {
  process.env['_X_AMZN_TRACE_ID'] = trace;
  const deadline = Date.now() + 60_000;
  const context = {
    awsRequestId: requestId,
    functionName: id,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  const [started, startedAt] = [process.cpuUsage(), performance.now()];
  try {
    const result = await handler(event, context);
    const answerWallMs = performance.now() - startedAt;
    const { user, system } = process.cpuUsage(started);
    process.send?.(report({ result, answerMs: (user + system) / 1000, answerWallMs }));
  } catch (error) {
    process.send?.(report({ error: String(error) }));
  }
});
