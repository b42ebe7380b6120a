import { type Command, CommanderError } from 'commander';
import { escapeControls } from '#lib/control-characters';
import { FAILURES, Failure } from '#lib/failure';
import type { Page } from '#lib/table/listing';
import { type Recorded, recording } from './recording.ts';
import { type Details, Refusal } from './refusal.ts';
import { openTarget, type Target } from './target.ts';
import { csvText } from './terminal/csv.ts';

/** Code of the error that ends a failed command; its exit status is 1. */
export const FAILED = 'admin.failed';

/** Text for people in place of the fields of the JSON. */
interface ForPeople {
  /** Printed on standard error. */
  readonly text?: string;
  /** Printed on standard output: a list, or a secret alone. */
  readonly output?: string;
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

/** A list, one line an item for people; by default its fields. */
export const listed = (
  json: readonly object[],
  lines = json.map((it) => Object.values(it).map(cell).join('  ')),
) =>
  new Answer(json, lines.length > 0 ? { output: lines.map(escapeControls).join('\n') } : { text: '(none)' });

/** The items of all pages of a listing. */
export async function allPages<T>(read: (cursor: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor);
  return items;
}

/** Runs a command whose start and outcome are in the audit log; without an entry of its start it does nothing. */
export const run = <Args extends unknown[]>(work: (target: Recorded, ...args: Args) => unknown) =>
  action<Args>(async (command, args) => {
    const target = await openTarget(command.optsWithGlobals());
    console.error(`Instance: ${target.url}`);
    const { recorded, begin, end } = recording(target, command);
    await begin();
    try {
      const answer = await work(recorded, ...args);
      await end({ outcome: 'ok', changed: jsonOf(answer)?.changed ?? answer !== undefined });
      return answer;
    } catch (error) {
      await end({ outcome: failureOf(error).code, changed: mayHaveChanged(error) });
      throw error;
    }
  });

/** Runs a command that changes nothing. */
export const reading = <Args extends unknown[]>(work: (target: Target, ...args: Args) => unknown) =>
  action<Args>(async (command, args) => work(await openTarget(command.optsWithGlobals()), ...args));

/** Runs a command that needs no instance, with the options of the program too. */
export const alone = <Args extends unknown[], Options>(work: (...args: [...Args, Options]) => unknown) =>
  action<[...Args, Options]>(async (command, args) =>
    work(...(args.slice(0, -1) as Args), command.optsWithGlobals() as Options),
  );

/** A hook `preAction` that refuses options before the command does anything; the exit status is 2. */
export const usage =
  <Options extends object>(faultOf: (options: Options, args: readonly string[]) => string | undefined) =>
  (_: Command, command: Command): void => {
    const fault = faultOf(command.optsWithGlobals<Options>(), command.args);
    if (fault !== undefined) command.error(`error: ${fault}`);
  };

/**
 * Runs a command and prints its answer, unless it has printed everything itself. Standard output gets one JSON document with
 * `--json`, records with `--csv`, otherwise a list or a secret. Standard error gets other text for people.
 */
const action =
  <Args extends unknown[]>(work: (command: Command, args: Args) => Promise<unknown>) =>
  async (...args: [...Args, Command]): Promise<void> => {
    const command = args.pop() as Command;
    const { json = false, csv = false } = command.optsWithGlobals<{ json?: true; csv?: true }>();
    try {
      const answer = await work(command, args as unknown as Args);
      if (answer === undefined) return;
      const { text, output, hasFailed } = peopleOf(answer);
      if (json) console.log(jsonText(jsonOf(answer)));
      else if (csv) process.stdout.write(csvText([jsonOf(answer)].flat() as object[]));
      else {
        if (text !== undefined) console.error(text);
        if (output !== undefined) console.log(output);
      }
      if (hasFailed) throw new CommanderError(1, FAILED, text ?? '');
    } catch (error) {
      if (error instanceof CommanderError) throw error;
      const { code, message, errors = [], lines } = failureOf(error);
      const fields = lines ? [] : errors.map((e) => `  ${e.field}: ${e.message}`);
      if (json) console.log(jsonText({ code, message, ...(errors.length > 0 && { errors }) }));
      else if (lines) console.log(lines.map(escapeControls).join('\n'));
      console.error([`${code}: ${message}`, ...fields].map(escapeControls).join('\n'));
      throw new CommanderError(1, FAILED, message);
    }
  };

/** JSON that a terminal shows as it is, with the same value. */
export const jsonText = (value: unknown) => escapeControls(JSON.stringify(value));

const peopleOf = (answer: unknown): ForPeople => {
  if (answer instanceof Answer) return answer.people;
  return Array.isArray(answer) ? listed(answer).people : { text: readable(answer) };
};

const jsonOf = (answer: unknown) =>
  (answer instanceof Answer ? answer.json : answer) as { readonly changed?: boolean } | undefined;

/** Refusals report it; a failure of the service changed nothing; null after a fault, since it is unknown. */
function mayHaveChanged(error: unknown) {
  if (error instanceof Refusal) return error.details.changed ?? false;
  return error instanceof Failure && FAILURES[error.code].status < 500 ? false : null;
}

function failureOf(error: unknown): Details & { readonly code: string; readonly message: string } {
  const { name, message } = error as Error;
  if (error instanceof Failure)
    return { code: error.code, message, ...(error.errors && { errors: error.errors }) };
  if (error instanceof Refusal) return { code: name, message, ...error.details };
  // Other services have this error for resources of their own.
  if (name === 'ResourceNotFoundException' && message.startsWith('DynamoDB '))
    return { code: 'table_not_found', message: 'The table does not exist' };
  return { code: name === 'Error' ? 'unavailable' : name, message };
}

/** A record as aligned lines. */
export function readable(answer: unknown): string {
  const entries = Object.entries(answer as object);
  const width = Math.max(...entries.map(([key]) => key.length));
  return entries.map(([key, value]) => `${key.padEnd(width)}  ${escapeControls(cell(value))}`).join('\n');
}

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || '(none)';
  // Contracts have times in UTC without a zone.
  return typeof value === 'object'
    ? JSON.stringify(value)
    : String(value).replace(/^\d{4}-\d\d-\d\dT[\d:.]+$/, '$&Z');
}
