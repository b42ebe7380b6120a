/** Writes one line of JSON: to CloudWatch Logs in a function, to standard output elsewhere. */
export const log = (level: 'info' | 'warn' | 'error', line: Readonly<Record<string, unknown>>) =>
  console.log(JSON.stringify({ level, ...line }));

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
