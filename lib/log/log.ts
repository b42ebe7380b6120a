import { redact } from './redact.ts';
import { originalStack } from './stack-trace.ts';

let output: Pick<NodeJS.WriteStream, 'write'> = process.stdout;

/** Has all lines go elsewhere: standard output of a command is for its answer. */
export function logTo(stream: Pick<NodeJS.WriteStream, 'write'>): void {
  output = stream;
}

/**
 * Writes one line of JSON, with its time in UTC, to standard output, which in a function goes to CloudWatch Logs. Not by `console.log`,
 * before whose lines Lambda puts a time, a request id and a level that metric filters cannot read.
 */
export function log(
  level: 'info' | 'warn' | 'error' | 'audit',
  line: Readonly<Record<string, unknown>>,
): void {
  output.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...line })}\n`);
}

/** An unexpected error, as it may be logged. */
export interface Description {
  readonly name: string;
  readonly message?: string;
  /** The calls that led to it: functions, files and lines of the source. */
  readonly stack?: readonly string[];
  readonly cause?: Description;
}

/** An error that is the cause of itself, however many errors on, would never be told to its end. */
const MAX_CAUSES = 3;

/**
 * What may be logged of an unexpected error. Its message can quote the input, and with it a credential, so it is
 * redacted.
 *
 * @param secrets what was presented with the request: stands nowhere in the description
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
