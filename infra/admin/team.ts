import type { Command } from 'commander';
import { createTeam, listTeams } from '#lib/team/team';
import { reading, run } from './run.ts';

export function teamCommands(program: Command): void {
  const team = program.command('team').description('teams of accounts');

  team
    .command('create <short>')
    .description('create a team')
    .requiredOption('--name <name>', 'full name of the team')
    .option('--type <type>', 'type of the team', 'internal')
    .action(
      run(({ runtime, actor }, short: string, options: { name: string; type: string }) =>
        createTeam(runtime, { short, ...options }, { publish: runtime.publish, actor }),
      ),
    );

  team
    .command('list')
    .description('list all teams')
    .action(reading(({ runtime }) => listTeams(runtime.table)));
}
