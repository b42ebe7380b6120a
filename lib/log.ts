/**
 * Writes one line of JSON to standard output, which in a function goes to CloudWatch Logs. Not by `console.log`,
 * before whose lines Lambda puts a time, a request id and a level that metric filters cannot read.
 */
export function log(level: 'info' | 'warn' | 'error', line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ level, ...line })}\n`);
}

/**
 * What may be logged of an unexpected error. A message is kept only where a service of AWS sent it: others
 * can quote the input, and with it a credential.
 */
export function describe(error: unknown) {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    name: error.name,
    ...('$metadata' in error ? { message: error.message } : {}),
    stack: error.stack?.split('\n').filter((line) => line.startsWith('    at ')),
  };
}
