import { type Context, createContext, Script } from 'node:vm';
import { Failure } from '../failure.ts';

/** Work that got less of its thread's time than this was kept from it by others, as on a busy machine. */
const OWN_SHARE = 0.67;

/**
 * Runs synchronous work that input can make slow or deep. The watchdog of `node:vm` is the one thing that
 * interrupts it, regular expressions included, on the thread that is busy with it. It looks at the clock on the wall:
 * work that was stopped although the processor did something else is run once more, for twice as long.
 *
 * @param work has no effects
 * @throws Failure `too_complex` where the work takes longer than `milliseconds` or overflows the stack
 */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  const start = process.threadCpuUsage();
  return run(milliseconds, work, () => {
    const { user, system } = process.threadCpuUsage(start);
    const own = (user + system) / 1000 >= milliseconds * OWN_SHARE;
    return own ? tooComplex() : run(2 * milliseconds, work, tooComplex);
  });
}

/** One for the execution environment, since a context takes 2 ms to make; nothing but this call ever runs in it. */
const SCRIPT = new Script('work()');
let context: Context | undefined;

function run<T>(milliseconds: number, work: () => T, otherwise: () => T): T {
  context ??= createContext({});
  context['work'] = work;
  try {
    return SCRIPT.runInContext(context, { timeout: milliseconds });
  } catch (error) {
    // The error of the watchdog is of another context, so its class says nothing.
    const { name, code } = error as { name?: unknown; code?: unknown };
    if (name === 'RangeError') return tooComplex();
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return otherwise();
    throw error;
  } finally {
    delete context['work'];
  }
}

const tooComplex = (): never => {
  throw new Failure('too_complex');
};
