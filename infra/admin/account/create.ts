import type { Option } from 'commander';
import { createAccount } from '#lib/account/create';
import { KINDS, type Kind } from '#lib/account/kinds';
import { membershipDetails } from '#lib/account/memberships';
import type { FilledIn } from '#lib/item/fields';
import { trimmed } from '#lib/text/trimmed';
import type { Command } from '../command.ts';
import { MEMBERSHIPS, type MembershipOptions, unknownRoleIn } from '../membership-options.ts';
import { NEW_ACCOUNT } from '../operator-needs.ts';
import { option } from '../options.ts';
import { canRead, type PasswordOptions, passwordOf } from '../terminal/ask.ts';
import { shown } from './show.ts';

interface Options extends MembershipOptions, PasswordOptions {
  readonly lockout: boolean;
  readonly kind?: Kind;
  readonly owner?: string;
  readonly [name: string]: unknown;
}

/** Fields of a new account that have an option. */
const FIELDS = {
  user_first_name: option('--first-name <name>', 'first name; at most 128 characters'),
  user_last_name: option('--last-name <name>', 'last name; at most 128 characters'),
  phonenumber: option('--phone <number>', 'telephone number; at most 64 characters'),
  user_currency: option('--currency <code>', 'currency, an ISO 4217 code').default('EUR'),
  user_color: option('--color <hex>', 'colour such as #1A2B3C; by default chosen by the username'),
  user_short: option('--short <initials>', 'initials; at most 8 characters; by default from the name'),
} satisfies Record<keyof FilledIn, Option>;

export const create: Command = {
  name: 'account create <username>',
  description: 'create an account; the first --app and --team are its defaults',
  options: [
    ...MEMBERSHIPS,
    option('--kind <kind>', 'machine for a program, with its --owner; person by default').choices(KINDS),
    option('--owner <username>', 'the person who answers for a machine', trimmed),
    option('--force', 'accept the name of an erased account, and an unknown role that begins with sys_'),
    ...Object.values(FIELDS),
    option('--password', 'prompt for the password; by default there is none'),
    option('--password-stdin', 'read the password from standard input'),
    option('--no-lockout', 'never lock the password temporarily after failed logins'),
  ],
  faultOf: (options: Options) => unknownRoleIn(options) ?? (options.password ? canRead(options) : undefined),
  group: 'administrator',
  inputs: { table: 'the name is refused' },
  needs: [
    'table:BatchGetItem:TEAMS',
    NEW_ACCOUNT,
    'transaction:UpdateItem:OUTBOX:user_create',
    'relay:start',
  ],
  audited: true,
  run: async ({ runtime, actor, note }, username: string, options: Options) => {
    const given = Object.entries(FIELDS).map(([field, it]) => [field, options[it.attributeName()]]);
    const fields = { username, ...Object.fromEntries(given) };
    const hasPassword = options.passwordStdin || options.password;
    const input = {
      password: hasPassword ? await passwordOf(options, fields, runtime.settings) : undefined,
      ...fields,
      kind: options.kind,
      owner: options.owner,
      lockoutenabled: options.lockout,
      apps: options.app,
      roles: options.role,
      teams: options.team,
    };
    const account = await createAccount(runtime, input, { publish: runtime.publish, actor }, options);
    note({ ...membershipDetails(account), ...(account.owner && { machine_owner: account.owner }) });
    return shown(account, runtime);
  },
};
