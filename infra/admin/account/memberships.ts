import { changeMemberships, membershipDetails } from '#lib/account/memberships';
import type { Command } from '../command.ts';
import { GRANTS, MEMBERSHIPS, type MembershipOptions, unknownRoleIn } from '../membership-options.ts';
import { ACCOUNT, LEAVING } from '../operator-needs.ts';
import { FORCE, leaving } from './administrators.ts';
import { reportLeftBehind } from './left-behind.ts';
import { onAccount } from './on-account.ts';
import { shown } from './show.ts';

const CHANGE = ['table:BatchGetItem:TEAMS', 'transaction:UpdateItem:ACCOUNT:memberships'] as const;

export const add: Command = {
  name: 'account add <username>',
  description: 'add roles, teams and applications',
  options: GRANTS,
  faultOf: (options: MembershipOptions) => unknownRoleIn(options) ?? namesNone(options),
  group: 'administrator',
  inputs: {},
  needs: [ACCOUNT, CHANGE],
  audited: true,
  run: changing('add'),
};

export const remove: Command = {
  name: 'account remove <username>',
  description: 'remove roles, teams and applications',
  options: [...MEMBERSHIPS, FORCE],
  faultOf: namesNone,
  group: 'administrator',
  inputs: {
    table: 'the report of what an administrator made lacks something',
    log: 'the report lists an account that is not theirs; it changes nothing',
  },
  needs: [LEAVING, CHANGE],
  audited: true,
  run: changing('remove'),
};

function changing(name: 'add' | 'remove') {
  return onAccount(async (target, it, options: MembershipOptions) => {
    const demotes = name === 'remove' && options.role?.includes('sys_administrator');
    const { runtime } = demotes ? await leaving(target, it, options) : target;
    const change = { [name]: { apps: options.app, roles: options.role, teams: options.team } };
    const { before, after } = await changeMemberships(runtime, it, change, options);
    if (demotes) await reportLeftBehind(target, before);
    const details = membershipDetails(after, before);
    target.note(details);
    return shown(after, runtime, { changed: Object.keys(details).length > 0 });
  });
}

function namesNone({ app, role, team }: MembershipOptions): string | undefined {
  return app || role || team ? undefined : 'name at least one --role, --team or --app';
}
