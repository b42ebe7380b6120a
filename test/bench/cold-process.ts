import { readFileSync, writeFileSync } from 'node:fs';

/** What was done until now, of this process alone, in milliseconds since it started. */
export interface Taken {
  /** CPU time of all threads. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** What a cold start has taken: until it could have taken its first request, and until that was answered. */
export interface ColdStart {
  readonly init: Taken;
  readonly first?: Taken;
  readonly result?: { readonly statusCode?: number; readonly body?: string };
}

type Handler = (event: unknown, context: object) => unknown;

const taken = (): Taken => {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() };
};

/** Loads a function as the runtime of Lambda does, and hands it its first request, if there is one. */
async function coldStart([file = '', id = '', eventFile]: readonly string[]): Promise<ColdStart> {
  // Lambda's own; the SDK passes on the trace of a request in what it sends for it, where both are set.
  process.env['AWS_LAMBDA_FUNCTION_NAME'] = id;
  const { handler } = require(file) as { handler: Handler };
  const init = taken();
  if (!eventFile) return { init };
  const event = JSON.parse(readFileSync(eventFile, 'utf8')) as unknown;
  const deadline = Date.now() + 15_000;
  const context = {
    awsRequestId: 'bench',
    functionName: id,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  const result = (await handler(event, context)) as ColdStart['result'];
  return { init, first: taken(), ...(result ? { result } : {}) };
}

// By a descriptor, since a channel to the parent would load what a function need not load.
coldStart(process.argv.slice(2)).then((report) => {
  writeFileSync(3, JSON.stringify(report));
  process.exit();
});
