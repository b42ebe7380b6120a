import { existsSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { NAMES } from './machine/resource-names.ts';
import { parsePattern } from './services/event-pattern.ts';
import { isUrl } from './subscription.ts';

export interface Options {
  /** 0 picks a free one. */
  readonly port: number;
  /** The data directory. */
  readonly data: string;
  /** Table and secrets live in memory only. */
  readonly memory: boolean;
  readonly demo: boolean;
  /** Whether functions are built at the start; otherwise they run as they were built last. */
  readonly build: boolean;
  /** Whether functions are built again when their source changes. */
  readonly watch: boolean;
  /** Name of the table: instances that share a DynamoDB have one each. */
  readonly table: string;
  /** Whether functions may do only what the stack grants them. */
  readonly enforceIam: boolean;
  /** Subscriber of events: a URL, or the path of a module that exports a Lambda handler. */
  readonly subscribe?: string;
  /** Event pattern of the subscriber, in JSON. */
  readonly pattern?: string;
}

/**
 * Reads the flags of `npm start`.
 *
 * @returns the options, or the exit status where there is nothing to start: 0 after `--help`, 2 for wrong usage
 */
export function readOptions(argv: readonly string[]): Options | number {
  const command = new Command('npm start --')
    .description('Starts the whole service on this machine and serves until Ctrl-C.')
    .option('--port <port>', 'port of the service; 0 picks a free one', port, 3000)
    .option('--data <dir>', 'data directory', directory, '.local')
    .option('--memory', 'keep table and secrets in memory only', false)
    .option('--no-demo', 'create no demo teams and accounts on the first start')
    .option('--no-build', 'run the functions as they were built last')
    .option('--watch', 'build functions again when their source changes', false)
    .option('--table <name>', 'name of the table', tableName, NAMES.table)
    .option('--enforce-iam', 'let functions do only what the stack grants them in the cloud', false)
    .option('--subscribe <target>', 'pass each event to a URL, or to a module that exports a handler', target)
    .option('--pattern <json>', 'pass only events that match: exact values by field, as in a rule', pattern)
    .allowExcessArguments(false)
    .exitOverride();
  try {
    const options = command.parse(argv, { from: 'user' }).opts<Options>();
    if (options.pattern !== undefined && options.subscribe === undefined)
      command.error('error: --pattern needs --subscribe <target>');
    return options;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  return Number(text);
}

function directory(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must name a directory.');
  return text;
}

function tableName(text: string): string {
  if (!/^[\w.-]{3,255}$/.test(text))
    throw new InvalidArgumentError('It must be 3 to 255 letters, digits, or any of _ . -');
  return text;
}

function target(text: string): string {
  if (isUrl(text) ? !URL.canParse(text) : !existsSync(text))
    throw new InvalidArgumentError('It must be an http or https URL, or the path of a module.');
  return text;
}

function pattern(text: string): string {
  try {
    parsePattern(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError(`It is not a pattern of the local bus: ${(error as Error).message}.`);
  }
}
