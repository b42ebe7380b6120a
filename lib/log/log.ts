import { redact } from './redact.ts';
import { originalStack } from './stack-trace.ts';

/** By default standard output, which Node.js opens at its first use: the start of a function writes nothing. */
let output: Pick<NodeJS.WriteStream, 'write'> | undefined;

/** Redirects all lines: the standard output of a command is for its answer. */
export function logTo(stream: Pick<NodeJS.WriteStream, 'write'>): void {
  output = stream;
}

/**
 * Writes one line of JSON with its time in UTC to standard output, which CloudWatch Logs collects. Lambda prefixes lines
 * of `console.log` with a time, an ID and a level that metric filters cannot read.
 */
export function log(level: 'info' | 'warn' | 'error' | 'audit', line: Readonly<Record<string, unknown>>) {
  (output ?? process.stdout).write(`${JSON.stringify({ level, time: new Date().toISOString(), ...line })}\n`);
}

/** An unexpected error in a form that may be logged. */
export interface Description {
  readonly name: string;
  readonly message?: string;
  /** Stack: functions, files and lines of the source. */
  readonly stack?: readonly string[];
  readonly cause?: Description;
}

/** Maximum of logged causes, since an error may be its own cause. */
const MAX_CAUSES = 3;

/**
 * Describes an unexpected error for the log. Its message may quote a credential of the input, so it is redacted.
 *
 * @param secrets credentials of the request, which the description does not contain
 */
export function describe(error: unknown, secrets: readonly string[] = [], causes = MAX_CAUSES): Description {
  if (!(error instanceof Error)) return { name: typeof error, message: redact(String(error), secrets) };
  return {
    name: error.name,
    message: redact(error.message, secrets),
    stack: originalStack(error.stack),
    ...(error.cause !== undefined && causes > 0 ? { cause: describe(error.cause, secrets, causes - 1) } : {}),
  };
}
