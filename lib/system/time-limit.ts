import { type Context, createContext, Script } from 'node:vm';
import { Failure } from '../failure/failure.ts';

/** Share of the time below which other work had the processor, as on a busy machine. */
const OWN_SHARE = 0.67;

/**
 * Runs synchronous work that input can make slow or deep. Only the watchdog of `node:vm` interrupts it on its own
 * thread, including regular expressions. The watchdog measures elapsed time: work that was stopped while other work had
 * the processor is run again, with twice the time.
 *
 * @param work without effects
 * @throws Failure `too_complex` when the work takes longer than `milliseconds` or overflows the stack
 */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  const start = process.threadCpuUsage();
  return run(milliseconds, work, () => {
    const { user, system } = process.threadCpuUsage(start);
    const own = (user + system) / 1000 >= milliseconds * OWN_SHARE;
    return own ? tooComplex() : run(2 * milliseconds, work, tooComplex);
  });
}

/** One for each execution environment, to create it once; runs this call only. */
const SCRIPT = new Script('work()');
let context: Context | undefined;

function run<T>(milliseconds: number, work: () => T, otherwise: () => T): T {
  context ??= createContext({});
  context['work'] = work;
  try {
    return SCRIPT.runInContext(context, { timeout: milliseconds });
  } catch (error) {
    // The error of the watchdog is of another context, so `instanceof` does not recognize it.
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
