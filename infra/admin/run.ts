import type { Command } from 'commander';
import type { AuditEntry } from '#lib/audit/entry';
import { FAILURES, Failure, type FieldError } from '#lib/failure';
import { operatorEntry } from './audit-trail.ts';
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

/** An answer with a secret, which alone goes to standard output where people read the rest. */
export class Revealing {
  readonly json: object;
  readonly secret: string;
  readonly details: object;

  constructor(json: object, secret: string, details: object) {
    this.json = json;
    this.secret = secret;
    this.details = details;
  }
}

/** A list of which people are shown a line each. */
export class Listed {
  readonly json: readonly object[];
  readonly lines: readonly string[];

  constructor(json: readonly object[], lines: readonly string[]) {
    this.json = json;
    this.lines = lines;
  }
}

/** A command that is refused, with a code of its own; it has changed nothing unless told. */
export class Refusal extends Error {
  readonly errors: readonly FieldError[] | undefined;
  readonly changed: boolean;
  /** What people are shown first; it tells them of the errors, too. */
  readonly lines: readonly string[] | undefined;

  constructor(
    code: string,
    message: string,
    errors?: readonly FieldError[],
    changed = false,
    lines?: readonly string[],
  ) {
    super(message);
    this.name = code;
    this.errors = errors;
    this.changed = changed;
    this.lines = lines;
  }
}

type Result = Pick<AuditEntry, 'outcome' | 'changed'>;

type Work<Args extends unknown[]> = (target: Target, ...args: Args) => Promise<unknown>;

/** Runs a command, and writes to the audit log what came of it. */
export const run = <Args extends unknown[]>(work: Work<Args>) =>
  execute<Args>(async (target, command, args) => {
    const answer = work(target, ...args);
    await note(target, command, answer);
    return answer;
  });

/**
 * The same for a command that may be cut off before its end: that it was started is written down first.
 */
export const runLong = <Args extends unknown[]>(work: Work<Args>) =>
  execute<Args>(async (target, command, args) => {
    await writeDown(target, command, { outcome: 'started', changed: null });
    const answer = work(target, ...args);
    await note(target, command, answer);
    return answer;
  });

/** Runs a command that changes nothing. */
export const reading = <Args extends unknown[]>(work: Work<Args>) =>
  execute<Args>((target, _, args) => work(target, ...args));

/**
 * Runs a command on the instance that the options name, and prints what it answers: with `--json` one JSON
 * document on standard output, otherwise text for people on standard error, and a secret alone on standard output.
 */
const execute =
  <Args extends unknown[]>(work: (target: Target, command: Command, args: Args) => Promise<unknown>) =>
  async (...args: [...Args, Command]): Promise<void> => {
    const command = args.pop() as Command;
    const options = command.optsWithGlobals<TargetOptions>();
    await answering(command, async () => work(await openTarget(options), command, args as unknown as Args));
  };

/** Prints what a command answers. One that has printed all that there is to say answers nothing. */
async function answering(command: Command, work: () => Promise<unknown>): Promise<void> {
  const { json = false } = command.optsWithGlobals<{ json?: boolean }>();
  try {
    const answer = await work();
    if (answer === undefined) return;
    if (json) console.log(JSON.stringify(jsonOf(answer)));
    else {
      console.error(readable(answer));
      if (answer instanceof Revealing) console.log(answer.secret);
    }
  } catch (error) {
    const { code, message, errors } = asFailure(error);
    if (json) console.log(JSON.stringify({ code, message, ...(errors ? { errors } : {}) }));
    const lines = error instanceof Refusal ? error.lines : undefined;
    const told = lines ? [] : (errors ?? []).map((e) => `  ${e.field}: ${e.message}`);
    console.error([...(lines ?? []), `${code}: ${message}`, ...told].join('\n'));
    process.exitCode = FAILED;
  }
}

/** Runs a command that needs no instance, as {@link run} does. */
export const alone =
  <Args extends unknown[]>(work: (...args: [...Args, Command]) => unknown) =>
  (...args: [...Args, Command]): Promise<void> =>
    answering(args.at(-1) as Command, async () => work(...args));

const jsonOf = (answer: unknown) =>
  answer instanceof Detailed || answer instanceof Listed || answer instanceof Revealing
    ? answer.json
    : answer;

/** Waits for what a command answers, and writes that down; the command goes on, whether that can be done or not. */
async function note(target: Target, command: Command, answer: Promise<unknown>) {
  const result = await answer.then(
    (it) => ({ outcome: 'ok', changed: (jsonOf(it) as { changed?: boolean }).changed ?? true }),
    (error) => ({ outcome: asFailure(error).code, changed: mayHaveChanged(error) }),
  );
  await writeDown(target, command, result);
}

async function writeDown({ audit: trail, actor }: Target, command: Command, result: Result) {
  if (!trail)
    return console.error('The stack has no audit log yet, so this command stands in none: deploy it again.');
  await trail.write(operatorEntry(command, actor, result)).catch((error) => {
    console.error(
      `This command does not stand in the audit log, which cannot be written: ${(error as Error).message}`,
    );
  });
}

/** Nothing has changed where the service refused; of a fault nobody knows. */
function mayHaveChanged(error: unknown) {
  if (error instanceof Refusal) return error.changed;
  return error instanceof Failure && FAILURES[error.code].status < 500 ? false : null;
}

function asFailure(error: unknown) {
  if (error instanceof Failure) return error;
  const { name, message } = error as Error;
  const errors = error instanceof Refusal ? error.errors : undefined;
  if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED')
    return { code: 'unavailable', message: `The instance does not answer, is it running? (${message})` };
  return { code: name === 'Error' ? 'unavailable' : name, message, errors };
}

/** A record as aligned lines, a list as a paragraph each. */
function readable(answer: unknown): string {
  if (answer instanceof Listed) return answer.lines.join('\n') || '(none)';
  if (answer instanceof Revealing) return readable(answer.details);
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
