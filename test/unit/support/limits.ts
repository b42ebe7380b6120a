import { onTestFinished, vi } from 'vitest';
import { CLIENT_LIMITS } from '#lib/network/aws';

/** The limits of calls to AWS in functions. */
export const PRODUCT_LIMITS = { ...CLIENT_LIMITS.requestHandler };

/** In milliseconds: longer than a call takes on a busy machine. */
const PATIENT_MS = 60_000;

// Tests also send more at once than a client has connections, and a request that waits for one seems not to connect.
Object.assign(CLIENT_LIMITS.requestHandler, { connectionTimeout: PATIENT_MS, requestTimeout: PATIENT_MS });

/** Of each file, whose environment may be a DOM: no time limit of the product ends, however slow the machine is. */
export function suspendLimits(): void {
  AbortSignal.timeout = () => new AbortController().signal;
}

/** From now on in a test of what happens at its end, each limit ends, after a shorter time if that is given. */
export function endLimits(withinMs = PATIENT_MS): void {
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const limit = new AbortController();
    const over = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    setTimeout(() => limit.abort(over), Math.min(ms, withinMs));
    return limit.signal;
  });
  onTestFinished(() => void spy.mockRestore());
}
