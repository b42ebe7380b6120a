import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, readBody } from '../../infra/local/machine/listen.ts';

/** An event for a function. */
export interface Invocation {
  readonly requestId: string;
  /** JSON. */
  readonly event: string;
  /** In milliseconds since the epoch. */
  readonly deadline: number;
  readonly arn: string;
  readonly trace: string;
}

const MAX_BYTES = 10 * 1024 * 1024;
const PREFIX = '/2018-06-01/runtime';

/**
 * The Runtime API of one execution environment.
 *
 * @param waits called whenever the runtime requests its next event
 * @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export async function openRuntimeApi(waits: () => void) {
  const offences: string[] = [];
  let next: ServerResponse | undefined;
  let current: (PromiseWithResolvers<string> & { readonly requestId: string }) | undefined;
  let waiting = awaited<void>();

  const take = (url: string, body: string): number => {
    const [, requestId = '', what] = /^\/invocation\/([^/]+)\/(response|error)$/.exec(url) ?? [];
    if (url === '/init/error') waiting.reject(new Error(`Failed to initialise: ${body}`));
    else if (!what || decodeURIComponent(requestId) !== current?.requestId) {
      offences.push(`${url}, which is not expected: ${body}`);
      return 400;
    } else {
      if (what === 'response') current.resolve(body);
      else current.reject(new Error(`Failed: ${body}`));
      current = undefined;
    }
    return 202;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url?.startsWith(PREFIX) ? request.url.slice(PREFIX.length) : '';
    if (request.method === 'GET' && url === '/invocation/next') {
      if (current) offences.push(`The next event is requested before ${current.requestId} is answered`);
      next = response;
      waits();
      waiting.resolve();
      return;
    }
    const body = (await readBody(request, MAX_BYTES)) ?? '';
    response.writeHead(take(url, body.toString()), { 'content-type': 'application/json' }).end('{}');
  };
  const { url, close } = await listen(createServer(answer));

  return {
    /** Host and port. */
    address: new URL(url).host,
    /** Resolves once the runtime waits for an event; rejects if the function cannot be initialised. */
    waiting: () => waiting.promise,
    /** Requests that Lambda would refuse, such as a second answer. */
    offences,
    /** Passes an event to the waiting runtime; resolves to the answer. @throws Error where the function fails */
    invoke({ requestId, event, deadline, arn, trace }: Invocation): Promise<string> {
      current = { ...awaited<string>(), requestId };
      waiting = awaited();
      next?.writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': requestId,
        'lambda-runtime-deadline-ms': deadline,
        'lambda-runtime-invoked-function-arn': arn,
        'lambda-runtime-trace-id': trace,
      });
      next?.end(event);
      return current.promise;
    },
    /** The runtime is gone. */
    fail(error: Error) {
      waiting.reject(error);
      waiting = awaited();
      waiting.reject(error);
      current?.reject(error);
      current = undefined;
    },
    close,
  };
}

/** A promise that may fail before anybody waits for it. */
function awaited<T>() {
  const promise = Promise.withResolvers<T>();
  promise.promise.catch(() => undefined);
  return promise;
}
