import { CommanderError, Option, Command as Parser } from 'commander';
import { SEPARATORS } from '#lib/text/csv';
import { trimmed } from '#lib/text/trimmed';
import { type Command, wordsOf } from './command.ts';
import { COMMANDS, NOUNS } from './commands.ts';
import { option } from './options.ts';
import type { Format } from './output.ts';
import { FAILED, run } from './run.ts';
import type { TargetOptions } from './target.ts';

/** Exit status of incorrect usage; a failed command exits with 1. */
const USAGE = 2;

export function newProgram(): Parser {
  const program = new Parser('admin')
    .description(
      'Operator commands for the local instance, or with --stack for a deployed one. Lists, secrets and JSON go to standard output, other text to standard error.',
    )
    .option('--json', 'print one JSON document on standard output')
    .addOption(new Option('--csv', 'print records as CSV on standard output').conflicts('json'))
    .addOption(
      new Option('--separator <name>', 'print records as CSV with this separator; default: comma')
        .choices(Object.keys(SEPARATORS))
        .implies({ csv: true })
        .conflicts('json'),
    )
    .option('--data <dir>', 'data directory of the local instance; default: that of the last npm start')
    .addOption(new Option('--stack <name>', 'name of a deployed stack').conflicts('data'))
    .option('--region <region>', 'region of the stack')
    .hook(
      'preAction',
      refusing<TargetOptions>(({ region, stack }) =>
        region && !stack ? '--region needs --stack' : undefined,
      ),
    )
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(see --help)')
    .exitOverride();
  for (const command of COMMANDS) addTo(program, command);
  return program;
}

function addTo(program: Parser, command: Command): void {
  const { name, description, options = [], faultOf = () => undefined, configure = (it) => it } = command;
  const nouns = wordsOf(command).split(' ').slice(0, -1);
  const parent = nouns.reduce(nounOf, program);
  const rest = name.split(' ').slice(nouns.length).join(' ');
  // A noun with options of its own would read those of the commands that follow it.
  const parser =
    name in NOUNS ? nounOf(parent, rest).command('list', { isDefault: true }) : parent.command(rest);
  for (const each of options) parser.addOption(each);
  if (!options.some(({ long }) => long === FORMAT.long))
    parser.addOption(FORMAT).on('option:format', (format) => {
      program.setOptionValue(format, true);
      // The command itself has no use for it.
      parser.setOptionValue('format', undefined);
    });
  for (const argument of parser.registeredArguments)
    if (argument.name() === 'username') argument.argParser(trimmed);
  configure(parser)
    .description(description)
    .hook('preAction', refusing(faultOf))
    .hook('preAction', refusing(faultOfFormat))
    .action((...call) => run(command, parser, call.slice(0, -1)));
}

/** Another way to name the form of the output. A command that reads formats has an option of this name itself. */
const FORMAT = option('--format <format>', 'form of the output; xlsx is a workbook, for a file').choices([
  'json',
  'csv',
  'xlsx',
]);

function faultOfFormat({ json, csv, xlsx }: Format): string | undefined {
  if (xlsx && (json || csv)) return 'name one form of the output';
  return xlsx && process.stdout.isTTY
    ? 'a workbook is no text: redirect it to a file, such as > accounts.xlsx'
    : undefined;
}

const nounOf = (parent: Parser, noun: string): Parser =>
  parent.commands.find((parser) => parser.name() === noun) ??
  parent.command(noun).description(NOUNS[noun] ?? '');

/** A hook `preAction` that refuses a call with a fault. */
const refusing =
  <Options extends object>(faultOf: (options: Options, args: readonly string[]) => string | undefined) =>
  (_: Parser, parser: Parser): void => {
    const fault = faultOf(parser.optsWithGlobals<Options>(), parser.args);
    if (fault !== undefined) parser.error(`error: ${fault}`);
  };

/** Runs one command; resolves to its exit status. */
export async function admin(args: readonly string[]): Promise<number> {
  try {
    await newProgram().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.code === FAILED || error.exitCode === 0 ? error.exitCode : USAGE;
  }
}
