import { vi } from 'vitest';
import { type Client, type ClientOptions, createClient } from '#lib/client/index';

/** A request that reached `fetch`. */
interface Sent {
  readonly path: string;
  readonly key: string | undefined;
}

/**
 * Outcome of a request: the data of an answer, another answer, an error of the connection, or none. `hang` ends with its
 * signal. The body of `hang within` ends empty a little later, as Node 20 and 22 lose the signal while they read one.
 */
export type Step = { readonly data: object } | Response | Error | 'hang' | 'hang within';

export const TIMEOUT = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
export const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response('null', { status, headers });

const endingAfter = (signal: AbortSignal) =>
  new ReadableStream({
    start: (body) => signal.addEventListener('abort', () => setImmediate(() => body.close())),
  });

function respond(step: Step, signal: AbortSignal): Response | Promise<Response> {
  if (step instanceof Error) throw step;
  if (step instanceof Response) return step.clone();
  if (step === 'hang within') return new Response(endingAfter(signal));
  if (step === 'hang')
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  return Response.json({ success: true, message: '', ...step });
}

/**
 * A client whose `fetch` takes these steps, in which no time passes. A step that hangs ends with the timeout of its attempt,
 * and a wait between attempts at once. With `abort`, both call it instead, the wait only after the last step.
 */
export function scriptedFetch(
  steps: readonly Step[],
  options: Partial<ClientOptions> = {},
  abort?: () => void,
) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const timeouts: AbortController[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    timeouts.push(new AbortController());
    return (timeouts.at(-1) as AbortController).signal;
  });
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((end: () => void, ms: number) => {
    waits.push(ms);
    if (abort && sent.length === steps.length) setImmediate(abort);
    else end();
  }) as never);
  const fetching = async (url: string, { headers, signal }: RequestInit & { signal: AbortSignal }) => {
    signal.throwIfAborted();
    const step = steps[sent.length] ?? { data: {} };
    const key = new Headers(headers).get('idempotency-key') ?? undefined;
    sent.push({ path: url.replace('http://core/api/core', ''), key });
    if (typeof step === 'string') setImmediate(abort ?? (() => timeouts.at(-1)?.abort(TIMEOUT)));
    return respond(step, signal);
  };
  const client: Client = createClient({ url: 'http://core', fetch: fetching as typeof fetch, ...options });
  return { ...client, sent, waits, timeouts, paths: () => sent.map(({ path }) => path) };
}
