import { Command, CommanderError, Option } from 'commander';
import { accountCommands } from './account.ts';
import { auditCommand } from './audit.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { eventCommands } from './events.ts';
import { exportCommand } from './import/export.ts';
import { importCommand } from './import/import.ts';
import { keyCommands } from './keys.ts';
import { restoreCommands } from './restore/check.ts';
import { FAILED, usage } from './run.ts';
import type { TargetOptions } from './target.ts';
import { teamCommands } from './team.ts';
import { tokenCommands } from './token.ts';

/** Exit status of incorrect usage; a failed command exits with 1. */
const USAGE = 2;

export function newProgram(): Command {
  const program = new Command('admin')
    .description(
      'Operator commands for the local instance, or with --stack for a deployed one. Lists, secrets and JSON go to standard output, other text to standard error.',
    )
    .option('--json', 'print one JSON document on standard output')
    .addOption(new Option('--csv', 'print records as CSV on standard output').conflicts('json'))
    .option('--data <dir>', 'data directory of the local instance; default: that of the last npm start')
    .addOption(new Option('--stack <name>', 'name of a deployed stack').conflicts('data'))
    .option('--region <region>', 'region of the stack')
    .hook(
      'preAction',
      usage<TargetOptions>(({ region, stack }) => (region && !stack ? '--region needs --stack' : undefined)),
    )
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(see --help)')
    .exitOverride();
  for (const add of [
    accountCommands,
    teamCommands,
    tokenCommands,
    eventCommands,
    keyCommands,
    restoreCommands,
    auditCommand,
    importCommand,
    exportCommand,
    doctorCommand,
  ])
    add(program);
  return program;
}

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
