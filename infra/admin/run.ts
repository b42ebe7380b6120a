import { type Command, CommanderError } from 'commander';
import type { AuditEntry } from '#lib/audit/entry';
import { FAILURES, Failure } from '#lib/failure';
import { operatorEntry } from './audit-trail.ts';
import { type Details, Refusal } from './refusal.ts';
import { openTarget, type Target, type TargetOptions } from './target.ts';

/** Code of the error that ends a failed command; its exit status is 1. */
export const FAILED = 'admin.failed';

/** What people read in place of the fields of the JSON. */
interface ForPeople {
  readonly text: string;
  /** Printed alone on standard output. */
  readonly secret?: string;
  /** The command did its work, but exits with 1. */
  readonly hasFailed?: boolean;
}

/** An answer that people read in another form than as the fields of its JSON. */
export class Answer {
  readonly json: unknown;
  readonly people: ForPeople;

  constructor(json: unknown, people: ForPeople) {
    this.json = json;
    this.people = people;
  }
}

/** A list, one line an item for people. */
export const listed = (json: readonly object[], lines: readonly string[]) =>
  new Answer(json, { text: lines.join('\n') || '(none)' });

type Work<Args extends unknown[]> = (target: Target, ...args: Args) => unknown;

/** Runs a command, and writes its outcome to the audit log. */
export const run = <Args extends unknown[]>(work: Work<Args>) =>
  execute<Args>((target, command, args) => audited(target, command, work(target, ...args)));

/** Runs a command that may be cut off before its end: the audit log gets a line of its start as well. */
export const runLong = <Args extends unknown[]>(work: Work<Args>) =>
  execute<Args>(async (target, command, args) => {
    await append(target, command, { outcome: 'started', changed: null });
    return audited(target, command, work(target, ...args));
  });

/** Runs a command that changes nothing. */
export const reading = <Args extends unknown[]>(work: Work<Args>) =>
  execute<Args>((target, _, args) => work(target, ...args));

/** Runs a command that needs no instance. */
export const alone =
  <Args extends unknown[]>(work: (...args: [...Args, Command]) => unknown) =>
  (...args: [...Args, Command]): Promise<void> =>
    answering(args.at(-1) as Command, async () => work(...args));

/** A hook `preAction` that refuses options before the command does anything; the exit status is 2. */
export const usage =
  <Options extends object>(faultOf: (options: Options, args: readonly string[]) => string | undefined) =>
  (_: Command, command: Command): void => {
    const fault = faultOf(command.opts<Options>(), command.args);
    if (fault !== undefined) command.error(`error: ${fault}`);
  };

/** Runs a command on the instance that the options name. */
const execute =
  <Args extends unknown[]>(work: (target: Target, command: Command, args: Args) => unknown) =>
  async (...args: [...Args, Command]): Promise<void> => {
    const command = args.pop() as Command;
    const options = command.optsWithGlobals<TargetOptions>();
    await answering(command, async () => work(await openTarget(options), command, args as unknown as Args));
  };

/**
 * Prints the answer of a command, unless it has printed everything itself: with `--json` one JSON document on standard
 * output, otherwise text for people on standard error and a secret alone on standard output.
 */
async function answering(command: Command, work: () => Promise<unknown>): Promise<void> {
  const { json = false } = command.optsWithGlobals<{ json?: boolean }>();
  try {
    const answer = await work();
    if (answer === undefined) return;
    const people = answer instanceof Answer ? answer.people : { text: readable(answer) };
    if (json) console.log(JSON.stringify(jsonOf(answer)));
    else console.error(people.text);
    if (!json && people.secret !== undefined) console.log(people.secret);
    if (people.hasFailed) throw new CommanderError(1, FAILED, people.text);
  } catch (error) {
    if (error instanceof CommanderError) throw error;
    const { code, message, errors, lines } = failureOf(error);
    if (json) console.log(JSON.stringify({ code, message, errors }));
    const fields = lines ? [] : (errors ?? []).map((e) => `  ${e.field}: ${e.message}`);
    console.error([...(lines ?? []), `${code}: ${message}`, ...fields].join('\n'));
    throw new CommanderError(1, FAILED, message);
  }
}

const jsonOf = (answer: unknown) => (answer instanceof Answer ? answer.json : answer);

/** Waits for the answer of a command and writes its outcome to the audit log; a log that cannot be written stops nothing. */
async function audited(target: Target, command: Command, work: unknown): Promise<unknown> {
  const [result] = await Promise.allSettled([work]);
  await append(
    target,
    command,
    result.status === 'fulfilled'
      ? { outcome: 'ok', changed: (jsonOf(result.value) as { changed?: boolean }).changed ?? true }
      : { outcome: failureOf(result.reason).code, changed: mayHaveChanged(result.reason) },
  );
  return work;
}

async function append(
  { audit, actor }: Target,
  command: Command,
  result: Pick<AuditEntry, 'outcome' | 'changed'>,
) {
  if (!audit)
    return console.error(
      'The stack has no audit log yet, so this command is not recorded: deploy the stack again.',
    );
  await audit.write(operatorEntry(command, actor, result)).catch((error: Error) => {
    console.error(`This command is not recorded, as the audit log cannot be written: ${error.message}`);
  });
}

/** A refusal says so itself; a failure of the service changed nothing; after a fault it is not known. */
function mayHaveChanged(error: unknown) {
  if (error instanceof Refusal) return error.details.changed ?? false;
  return error instanceof Failure && FAILURES[error.code].status < 500 ? false : null;
}

function failureOf(error: unknown): Details & { readonly code: string; readonly message: string } {
  const { name, message, code } = error as Error & { code?: string };
  if (error instanceof Failure)
    return { code: error.code, message, ...(error.errors && { errors: error.errors }) };
  if (error instanceof Refusal) return { code: name, message, ...error.details };
  if (code === 'ECONNREFUSED')
    return { code: 'unavailable', message: `The instance does not answer, is it running? (${message})` };
  return { code: name === 'Error' ? 'unavailable' : name, message };
}

/** A record as aligned lines, a list as a paragraph each. */
export function readable(answer: unknown): string {
  if (Array.isArray(answer)) return answer.map(readable).join('\n\n') || '(none)';
  const entries = Object.entries(answer as object);
  const width = Math.max(...entries.map(([key]) => key.length));
  return entries.map(([key, value]) => `${key.padEnd(width)}  ${cell(value)}`).join('\n');
}

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || '(none)';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
