import { CoreAccountError } from './error.ts';
import type { Patience } from './options.ts';
import { refusal } from './refusal.ts';
import { sleep } from './wait.ts';

export interface Sending extends Patience {
  readonly operation: string;
  /** Whether it may be sent again where nobody knows what became of it. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal | undefined;
  /** Makes one try. */
  readonly attempt: (signal: AbortSignal) => Promise<Response>;
}

/** What was answered with a status of success. */
export interface Received {
  readonly headers: Headers;
  readonly body: unknown;
}

/** Waits of up to 200, 400, 800 ... ms between the tries. */
const BASE_MS = 200;

/**
 * Sends a request, and again with exponential back-off and full jitter where it is safe to: what was refused as too much
 * (429) was not carried out; where no answer came, or 502, 503 or 504, only what is repeatable is sent again.
 *
 * @throws CoreAccountError; the reason of the signal
 */
export async function send(sending: Sending): Promise<Received> {
  const { tries = 3, maxWaitMs = 10_000, signal } = sending;
  for (let made = 1; ; made++) {
    const result = await tryOnce(sending);
    if (!(result instanceof CoreAccountError)) return result;
    const { status, retryAfter = 0 } = result;
    const waitMs = retryAfter * 1000 + Math.random() * BASE_MS * 2 ** (made - 1);
    const again = status === 429 || (sending.repeatable && [0, 502, 503, 504].includes(status));
    if (!again || made >= tries || waitMs > maxWaitMs) throw result;
    await sleep(waitMs, signal);
  }
}

async function tryOnce({
  operation,
  attempt,
  signal,
  timeoutMs = 35_000,
}: Sending): Promise<Received | CoreAccountError> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await attempt(signal ? AbortSignal.any([signal, timeout]) : timeout);
    const body = parsed(await response.text());
    if (response.ok && body !== undefined) return { headers: response.headers, body };
    return refusal(operation, response, body);
  } catch (cause) {
    signal?.throwIfAborted();
    return new CoreAccountError(operation, 'network_error', { message: 'No answer came.', cause });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
