import { CommanderError, type Command as Parser } from 'commander';
import { FAILURES } from '#lib/failure/codes';
import { Failure } from '#lib/failure/failure';
import { escapeControls } from '#lib/text/control-characters';
import type { Command, InstanceCommand, Work } from './command.ts';
import { type Format, jsonOf, jsonText, print } from './output.ts';
import { type Recorded, recording } from './recording.ts';
import { type Details, Refusal } from './refusal.ts';
import type { Target } from './target.ts';

/** Code of the error that ends a failed command; its exit status is 1. */
export const FAILED = 'admin.failed';

/** Runs a command, and prints its result or its failure. */
export async function run(command: Command, parser: Parser, call: readonly unknown[]): Promise<void> {
  const format = parser.optsWithGlobals<Format>();
  try {
    const result = await resultOf(command, parser, call as readonly never[]);
    // The command has printed everything itself.
    if (result === undefined) return;
    const { text, hasFailed } = await print(result, format);
    if (hasFailed) throw new CommanderError(1, FAILED, text ?? '');
  } catch (error) {
    if (error instanceof CommanderError) throw error;
    const { code, message, errors = [], lines } = failureOf(error);
    const fields = lines ? [] : errors.map((e) => `  ${e.field}: ${e.message}`);
    if (format.json) console.log(jsonText({ code, message, ...(errors.length > 0 && { errors }) }));
    else if (lines) console.log(lines.map(escapeControls).join('\n'));
    console.error([`${code}: ${message}`, ...fields].map(escapeControls).join('\n'));
    throw new CommanderError(1, FAILED, message);
  }
}

async function resultOf(command: Command, parser: Parser, call: readonly never[]): Promise<unknown> {
  if ('local' in command) return command.run(...call.slice(0, -1), parser.optsWithGlobals() as never);
  const work = workOf(command, parser.opts());
  const { openTarget } = await import('./target.ts');
  const target = await openTarget(parser.optsWithGlobals());
  return work.audited ? audited(target, parser, (to) => work.run(to, ...call)) : work.run(target, ...call);
}

/** The work of a command, or of its variant for these options. */
function workOf({ variants = {}, ...command }: InstanceCommand, options: object): Work {
  const [, variant] = Object.entries(variants).find(([name]) => name in options) ?? [];
  return variant ?? command;
}

/** Does work whose start and outcome are in the audit log; without an entry of its start it does nothing. */
async function audited(
  target: Target,
  parser: Parser,
  work: (target: Recorded) => unknown,
): Promise<unknown> {
  console.error(`Instance: ${target.url}`);
  const { recorded, begin, end } = recording(target, parser);
  await begin();
  try {
    const result = await work(recorded);
    await end({ outcome: 'ok', changed: jsonOf(result)?.changed ?? result !== undefined });
    return result;
  } catch (error) {
    await end({ outcome: failureOf(error).code, changed: mayHaveChanged(error) });
    throw error;
  }
}

/** Refusals report it; a failure of the service changed nothing; null after a fault, since it is unknown. */
function mayHaveChanged(error: unknown) {
  if (error instanceof Refusal) return error.details.changed ?? false;
  return error instanceof Failure && FAILURES[error.code].status < 500 ? false : null;
}

function failureOf(error: unknown): Details & { readonly code: string; readonly message: string } {
  const { name, message } = error as Error;
  if (error instanceof Failure) {
    const { code, advice = '', errors } = error;
    return { code, message: `${message} ${advice}`.trim(), ...(errors && { errors }) };
  }
  if (error instanceof Refusal) return { code: name, message, ...error.details };
  // Other services have this error for resources of their own.
  if (name === 'ResourceNotFoundException' && message.startsWith('DynamoDB '))
    return { code: 'table_not_found', message: 'The table does not exist' };
  return { code: name === 'Error' ? 'unavailable' : name, message };
}
