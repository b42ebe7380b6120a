import { CoreAccountError } from './error.ts';
import type { ClientOptions, Patience } from './options.ts';
import { refusal } from './refusal.ts';
import { sleep, until } from './wait.ts';

export interface Sending extends Patience, Pick<ClientOptions, 'parse'> {
  readonly operation: string;
  /** Whether the request may be sent again when its outcome is unknown. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal | undefined;
  /** Prepares an attempt, which sends the request once. Errors of the preparation are thrown as they are. */
  readonly attempt: () => Promise<(signal: AbortSignal) => Promise<Response>>;
}

export interface Received {
  readonly headers: Headers;
  readonly body: unknown;
}

/** Unit of the wait between attempts: up to 200, 400, 800 ... ms. */
const BASE_MS = 200;

/**
 * Sends a request, and again with exponential back-off and full jitter when that is safe. A 429 was not carried out, so
 * any request is sent again. Without an answer and after 502, 503 and 504, only repeatable requests are.
 *
 * @throws CoreAccountError, or the reason of the signal
 */
export async function send(sending: Sending): Promise<Received> {
  const { tries = 3, maxWaitMs = 10_000, signal } = sending;
  for (let made = 1; ; made++) {
    const result = await tryOnce(sending);
    if (!(result instanceof CoreAccountError)) return result;
    const { status, retryAfter = 0 } = result;
    const leastMs = retryAfter * 1000;
    const again = status === 429 || (sending.repeatable && [0, 502, 503, 504].includes(status));
    if (!again || made >= tries || leastMs > maxWaitMs) throw result;
    await sleep(Math.min(leastMs + Math.random() * BASE_MS * 2 ** (made - 1), maxWaitMs), signal);
  }
}

async function tryOnce({ operation, attempt, signal, timeoutMs = 35_000, parse = JSON.parse }: Sending) {
  const prepared = await attempt();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const ending = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const response = await prepared(ending);
    // Node 20 and 22 lose the signal of `fetch` while they read a body.
    const body = parsed(await until(response.text(), ending), parse);
    if (response.ok && body !== undefined) return { headers: response.headers, body };
    return refusal(operation, response, body);
  } catch (cause) {
    signal?.throwIfAborted();
    return new CoreAccountError(operation, 'network_error', { message: 'No answer came.', cause });
  }
}

function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
