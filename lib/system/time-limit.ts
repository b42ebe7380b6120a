import { runInNewContext } from 'node:vm';
import { Failure } from '../failure.ts';

/**
 * Runs synchronous work that input can make slow or deep. The watchdog of `node:vm` is the one thing that
 * interrupts it, regular expressions included, on the thread that is busy with it.
 *
 * @throws Failure `too_complex` where the work takes longer than `milliseconds` or overflows the stack
 */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  try {
    return runInNewContext('work()', { work }, { timeout: milliseconds });
  } catch (error) {
    // The error of the watchdog is of another context, so its class says nothing.
    const { name, code } = error as { name?: unknown; code?: unknown };
    if (name === 'RangeError' || code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new Failure('too_complex');
    throw error;
  }
}
