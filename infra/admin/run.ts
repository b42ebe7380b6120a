import type { Command } from 'commander';
import { Failure } from '#lib/failure';
import { openTarget, type Target, type TargetOptions } from './target.ts';

/** Exit status of a command that fails; wrong usage is 2. */
const FAILED = 1;

/** An answer of which people are told more than its JSON has. */
export class Detailed {
  readonly json: object;
  readonly details: object;

  constructor(json: object, details: object) {
    this.json = json;
    this.details = details;
  }
}

/**
 * Runs a command on the instance that the options name, and prints what it answers: with `--json` one JSON
 * document on standard output, otherwise text for people on standard error.
 */
export const run =
  <Args extends unknown[]>(work: (target: Target, ...args: Args) => Promise<unknown>) =>
  async (...args: [...Args, Command]): Promise<void> => {
    const command = args.pop() as Command;
    const { json = false, ...options } = command.optsWithGlobals<TargetOptions & { json?: boolean }>();
    try {
      const answer = await work(await openTarget(options), ...(args as unknown as Args));
      if (json) console.log(JSON.stringify(answer instanceof Detailed ? answer.json : answer));
      else console.error(readable(answer));
    } catch (error) {
      const { code, message, errors } = asFailure(error);
      if (json) console.log(JSON.stringify({ code, message, ...(errors ? { errors } : {}) }));
      console.error(
        [`${code}: ${message}`, ...(errors ?? []).map((e) => `  ${e.field}: ${e.message}`)].join('\n'),
      );
      process.exitCode = FAILED;
    }
  };

function asFailure(error: unknown) {
  if (error instanceof Failure) return error;
  const { name, message } = error as Error;
  return { code: name === 'Error' ? 'unavailable' : name, message, errors: undefined };
}

/** A record as aligned lines, a list as a paragraph each. */
function readable(answer: unknown): string {
  if (answer instanceof Detailed) return readable({ ...answer.json, ...answer.details });
  if (Array.isArray(answer)) return answer.map(readable).join('\n\n') || '(none)';
  const entries = Object.entries(answer as object);
  const width = Math.max(...entries.map(([key]) => key.length));
  return entries.map(([key, value]) => `${key.padEnd(width)}  ${cell(value)}`).join('\n');
}

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || '(none)';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
