import { Command, CommanderError } from 'commander';
import { logTo } from '#lib/log/log';
import { accountCommands } from './account.ts';
import { auditCommand } from './audit.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { eventCommands } from './events.ts';
import { exportCommand } from './import/export.ts';
import { importCommand } from './import/import.ts';
import { keyCommands } from './keys.ts';
import { restoreCommands } from './restore/check.ts';
import { teamCommands } from './team.ts';
import { completionCommand } from './terminal/completion.ts';
import { tokenCommands } from './token.ts';

/** Exit status of wrong usage; a command that is refused exits with 1. */
const USAGE = 2;

const program = new Command('admin')
  .description(
    'Operator commands for the local instance, or with --stack for a deployed one. Text for people goes to standard error, secrets and lists for programs to standard output.',
  )
  .option('--json', 'print one JSON document on standard output')
  .option('--data <dir>', 'data directory of the local instance, if not that of the last npm start')
  .option('--stack <name>', 'name of a deployed stack')
  .option('--region <region>', 'region of the stack')
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError('(--help tells more)')
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
  completionCommand,
])
  add(program);

logTo(process.stderr);
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : USAGE;
}
