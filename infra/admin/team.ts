import { contract } from '#lib/team/create.contract';
import { deleteTeam } from '#lib/team/delete';
import { contract as deletion } from '#lib/team/delete.contract';
import { renameTeam } from '#lib/team/rename';
import { contract as renaming } from '#lib/team/rename.contract';
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

export const rename: Command = {
  name: 'team rename <short>',
  description: 'give a team another name',
  options: [option('--name <name>', 'new full name of the team').makeOptionMandatory()],
  group: 'administrator',
  inputs: { table: 'the name is refused, or an event has a wrong former name' },
  needs: [of(renaming)],
  audited: true,
  run: ({ runtime, actor }, short: string, options: { name: string }) =>
    renameTeam(runtime, { short, ...options }, actor),
};

export const remove: Command = {
  name: 'team delete <short>',
  description: 'delete a team',
  options: [option('--to <short>', 'another team that takes its members')],
  group: 'administrator',
  inputs: { table: 'a team with members is deleted, or one without is refused' },
  needs: [of(deletion)],
  audited: true,
  run: ({ runtime, actor }, short: string, options: { to?: string }) =>
    deleteTeam(runtime, { short, ...options }, actor),
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
