import { becomeMachine } from '#lib/account/access';
import { changeMemberships, membershipDetails } from '#lib/account/memberships';
import { trimmed } from '#lib/text/trimmed';
import type { Command } from '../command.ts';
import { GRANTS, MEMBERSHIPS, type MembershipOptions, unknownRoleIn } from '../membership-options.ts';
import { LEAVING, OWNER } from '../operator-needs.ts';
import { option } from '../options.ts';
import { FORCE, leaving } from './administrators.ts';
import { reportLeftBehind } from './left-behind.ts';
import { onAccount } from './on-account.ts';
import { shown } from './show.ts';

/** Only `account add` names an owner. */
type Adding = MembershipOptions & { readonly owner?: string };

const CHANGE = ['table:BatchGetItem:TEAMS', 'transaction:UpdateItem:ACCOUNT:memberships'] as const;

export const add: Command = {
  name: 'account add <username>',
  description: 'add roles, teams and applications, or name the owner of a machine',
  options: [
    ...GRANTS,
    option('--owner <username>', 'the person who answers for a machine from now on', trimmed),
  ],
  faultOf: (options: Adding) => unknownRoleIn(options) ?? (options.owner ? undefined : namesNone(options)),
  group: 'administrator',
  inputs: {},
  needs: [OWNER, CHANGE],
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

export const toMachine: Command = {
  name: 'account to-machine <username>',
  description:
    'turn a person into a machine for good: password, codes, passkeys and sessions end, tokens stay',
  options: [option('--owner <username>', 'the person who answers for it', trimmed).makeOptionMandatory()],
  group: 'administrator',
  inputs: {},
  needs: [
    OWNER,
    'transaction:UpdateItem:ACCOUNT:machine',
    'table:DeleteItem:PASSWORD',
    'transaction:UpdateItem:PASSKEY:end',
    'table:DeleteItem:PASSKEY',
    'transaction:UpdateItem:OUTBOX:passkey_delete',
    'relay:start',
  ],
  audited: true,
  run: onAccount(async ({ runtime, actor, note }, it, { owner }: { owner: string }) => {
    const { data, details } = await becomeMachine(runtime, it, owner, actor);
    note(details ?? {});
    return data;
  }),
};

function changing(name: 'add' | 'remove') {
  return onAccount(async (target, it, options: Adding) => {
    const demotes = name === 'remove' && options.role?.includes('sys_administrator');
    const { runtime } = demotes ? await leaving(target, it, options) : target;
    const change = { [name]: { apps: options.app, roles: options.role, teams: options.team } };
    const { before, after } = await changeMemberships(runtime, it, change, options);
    if (demotes) await reportLeftBehind(target, before);
    const details = {
      ...membershipDetails(after, before),
      ...(after.owner !== before.owner && { machine_owner: after.owner as string }),
    };
    target.note(details);
    return shown(after, runtime, { changed: Object.keys(details).length > 0 });
  });
}

function namesNone({ app, role, team }: MembershipOptions): string | undefined {
  return app || role || team ? undefined : 'name at least one --role, --team or --app';
}
