import { contract } from '#lib/team/create.contract';
import { createTeam, listTeams } from '#lib/team/team';
import type { Command } from './command.ts';
import { of } from './operator-needs.ts';
import { option } from './options.ts';

export const create: Command = {
  name: 'team create <short>',
  description: 'create a team',
  options: [
    option('--name <name>', 'full name of the team').makeOptionMandatory(),
    option('--type <type>', 'type of the team').default('internal'),
  ],
  group: 'administrator',
  inputs: { table: 'the name is refused' },
  needs: [of(contract)],
  audited: true,
  run: ({ runtime, actor }, short: string, options: { name: string; type: string }) =>
    createTeam(runtime, { short, ...options }, { publish: runtime.publish, actor }),
};

export const list: Command = {
  name: 'team list',
  description: 'list all teams',
  group: 'support',
  inputs: { table: 'a list is wrong' },
  needs: ['table:Query:TEAMS'],
  audited: false,
  run: ({ runtime }) => listTeams(runtime.table),
};
