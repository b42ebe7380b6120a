import { existsSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { NAMES } from './machine/resource-names.ts';
import { parsePattern } from './services/event-bus/event-pattern.ts';
import { isUrl } from './subscription.ts';

export interface Options {
  readonly port: number;
  readonly data: string;
  readonly memory: boolean;
  readonly demo: boolean;
  readonly build: boolean;
  readonly watch: boolean;
  readonly table: string;
  readonly enforceIam: boolean;
  /** Port of the issuers for trying; absent without them. */
  readonly issuer?: number;
  readonly subscribe?: string;
  readonly pattern?: string;
}

/** Port of the issuers by default. */
const ISSUER_PORT = 3100;

/**
 * The options, or the exit status if there is nothing to start: 0 after `--help`, 2 for wrong usage.
 *
 * @param env in which npm puts the options before `--`, which it takes for its own
 */
export function readOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Options | number {
  const command = new Command('npm start --')
    .description('Starts the whole service on this machine and serves until Ctrl-C.')
    .option('--port <port>', 'port of the service; 0 picks a free one', (text) => Number(port(text)), 3000)
    .option('--data <dir>', 'data directory', directory, '.local')
    .option('--memory', 'keep table and secrets in memory only', false)
    .option('--no-demo', 'create no demo teams and accounts on the first start')
    .option('--no-build', 'run the functions as they were built last')
    .option('--watch', 'build functions again when their source changes', false)
    .option('--table <name>', 'name of the table', tableName, NAMES.table)
    .option('--enforce-iam', 'let functions do only what the stack grants them in the cloud', false)
    .addOption(
      new Option(
        '--issuer [port]',
        `issuers whose tokens machines can sign in with, for trying; at ${ISSUER_PORT}`,
      )
        .preset(`${ISSUER_PORT}`)
        .argParser((text) => Number(port(text))),
    )
    .option('--subscribe <target>', 'pass each event to a URL, or to a module that exports a handler', target)
    .option('--pattern <json>', 'pass only events that match: exact values by field, as in a rule', pattern)
    .allowExcessArguments(false)
    .exitOverride();
  const isMisplaced = ({ long = '' }: { readonly long?: string | undefined }) =>
    !argv.includes(long) &&
    env[`npm_config_${long.replace(/^--(no-)?/, '').replaceAll('-', '_')}`] !== undefined;
  try {
    const misplaced = command.options.find(isMisplaced);
    if (misplaced)
      command.error(
        `error: npm takes ${misplaced.long} for its own: write "npm start -- ${misplaced.flags}"`,
      );
    const options = command.parse(argv, { from: 'user' }).opts<Options>();
    if (options.pattern !== undefined && options.subscribe === undefined)
      command.error('error: --pattern needs --subscribe <target>');
    return options;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

const checked = (isValid: (text: string) => boolean, expected: string) => (text: string) => {
  if (!isValid(text)) throw new InvalidArgumentError(`It must be ${expected}.`);
  return text;
};
const isPort = (text: string) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
const port = checked(isPort, 'a whole number from 0 to 65535');
const directory = checked((text) => text !== '', 'a directory');
const tableName = checked(
  (text) => /^[\w.-]{3,255}$/.test(text),
  '3 to 255 letters, digits, or any of _ . -',
);
const isTarget = (text: string) => (isUrl(text) ? URL.canParse(text) : existsSync(text));
const target = checked(isTarget, 'an http or https URL, or the path of a module');

function pattern(text: string): string {
  try {
    parsePattern(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError(`It is not a pattern of the local bus: ${(error as Error).message}.`);
  }
}
